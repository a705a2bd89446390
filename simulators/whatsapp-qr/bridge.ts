/** The simulated bridge: numbers under this service's names, and the messages that they send. */
import { randomBytes } from 'node:crypto'
import { createSession, type Session } from './session.ts'

/** A message that a linked number has sent. */
export type SentByQr = {
  id: string
  /** The number at the bridge that sent the message. */
  account: string
  /** The digits of the customer's number, or an `@lid` id. */
  to: string
  text: string
  file: { kind: string; mimeType: string; bytes: Buffer } | null
  at: number
}

type QrMessage = {
  id: string
  /** The number that must send the message; null accepts any linked one. */
  from: string | null
  to: string
  text: string
  upload: string | null
  kind: string
}

/** A refusal by the bridge: the HTTP status and the code of the response. */
export class BridgeRefusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Outcomes of a send by the last digits of the customer's number. Every other send goes out. */
const FORCED: Readonly<Record<string, () => void>> = {
  '0404': () => {
    throw new BridgeRefusal(404, 'not_on_whatsapp', 'This number is not on WhatsApp')
  },
  '0429': () => {
    throw new BridgeRefusal(429, 'rate', 'Too many messages')
  },
  '0503': () => {
    throw new BridgeRefusal(503, 'failed', 'The message could not be sent')
  },
}
/** Sends to `UNANSWERED` go out without an answer; those to `HANGS` get none and do not go out. */
const UNANSWERED = '0000'
const HANGS = '0001'

/** Creates the simulated bridge with its numbers and the messages that they sent. */
export function createSimulatedBridge({ now, onChange }: { now(): number; onChange(): void }) {
  const sessions = new Map<string, Session>()
  const sent: SentByQr[] = []
  const uploads = new Map<string, { bytes: Buffer; mimeType: string }>()
  const media = new Map<string, Buffer>()

  /** Returns the session of a number. @throws BridgeRefusal */
  function sessionOf(account: string, id?: string): Session {
    const session = sessions.get(account)
    if (!session || (id !== undefined && session.id !== id)) {
      throw new BridgeRefusal(409, 'no_session', 'Open the number first, with what is kept of it')
    }
    return session
  }

  /**
   * Returns the session of a linked number.
   *
   * @param from the required number
   * @throws BridgeRefusal
   */
  function linkedOf(account: string, from: string | null = null): Session {
    const session = sessions.get(account)
    const { status, number } = session?.link() ?? {}
    if (!session || status === 'pairing' || status === 'expired' || status === 'logged_out') {
      throw new BridgeRefusal(409, 'not_linked', 'The number is not linked')
    }
    if (status === 'banned')
      throw new BridgeRefusal(403, 'banned', 'WhatsApp has closed the number')
    if (status !== 'linked') {
      throw new BridgeRefusal(503, 'not_connected', 'WhatsApp is not reached for the moment')
    }
    if (from !== null && number !== from) {
      throw new BridgeRefusal(409, 'not_linked', 'The link is of another number')
    }
    return session
  }

  return {
    sessions,
    sent,
    /** Bytes of customers' files, by their media keys. */
    media,
    open(account: string, state: Readonly<Record<string, string>>): { session: string } {
      sessions.get(account)?.end()
      const session = createSession(state, { now, onChange })
      sessions.set(account, session)
      onChange()
      return { session: session.id }
    },
    sessionOf,
    upload(account: string, file: { bytes: Buffer; mimeType: string }): { upload: string } {
      linkedOf(account)
      const upload = randomBytes(12).toString('hex')
      uploads.set(upload, file)
      return { upload }
    },
    /**
     * Sends a message and reports it to the number's other devices. Returns `hang` if the call is not answered.
     * @throws BridgeRefusal
     */
    send(account: string, message: QrMessage): 'sent' | 'hang' {
      const session = linkedOf(account, message.from)
      if (sent.some(({ id }) => id === message.id)) return 'sent'
      const end = message.to.replace(/@lid$/, '').slice(-4)
      FORCED[end]?.()
      if (end === HANGS) return 'hang'
      const upload = message.upload === null ? undefined : uploads.get(message.upload)
      if (message.upload !== null && !upload) {
        throw new BridgeRefusal(400, 'bad_request', 'No such upload')
      }
      const file = upload ? { ...upload, kind: message.kind } : null
      const { id, to, text } = message
      sent.push({ id, account, to, text, file, at: now() })
      const remoteJid = to.endsWith('@lid') ? to : `${to}@s.whatsapp.net`
      const shown = file ? { [`${file.kind}Message`]: { caption: text } } : { conversation: text }
      session.tell(
        'messages.upsert',
        {
          type: 'append',
          messages: [
            {
              key: { id, remoteJid, fromMe: true },
              messageTimestamp: Math.floor(now() / 1_000),
              message: shown,
              status: 1,
            },
          ],
        },
        remoteJid,
      )
      onChange()
      return end === UNANSWERED ? 'hang' : 'sent'
    },
    logOut(account: string): void {
      const session = sessions.get(account)
      if (!session) return
      session.wipe()
      session.setLink({ status: 'logged_out', code: '401' })
    },
    close(): void {
      for (const session of sessions.values()) session.end()
    },
  }
}

/** The simulated bridge with its numbers. */
export type SimulatedBridge = ReturnType<typeof createSimulatedBridge>
