/**
 * A number at the simulated bridge: its unconfirmed changes, its changed keys, and the state of its link. Like the
 * real bridge it stores nothing beyond the process, so the client that opens a session sends the stored keys.
 */
import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '../time.ts'
import { createChangeLog } from './change-log.ts'

type SimulatedLink = {
  status: 'pairing' | 'expired' | 'connecting' | 'linked' | 'logged_out' | 'replaced' | 'banned'
  qr?: string
  qrUntil?: number
  number?: string
  code?: string
}

/** A number at the simulated bridge. */
export type Session = ReturnType<typeof createSession>

/** The lifetime of a QR code in WhatsApp, and the number of codes. */
const QR_MS = 20 * SECOND_MS
const CODES = 6
const PRE_KEYS = 30

/**
 * Creates the session of a number at the bridge from the keys that the client has stored. With credentials among them
 * it is linked; otherwise it begins to show QR codes.
 */
export function createSession(
  state: Readonly<Record<string, string>>,
  { now, onChange }: { now(): number; onChange(): void },
) {
  const changeLog = createChangeLog(onChange)
  const names = new Set(Object.keys(state))
  let link: SimulatedLink = { status: 'connecting' }
  let codes = 0
  let timer: NodeJS.Timeout | null = null

  function setLink(next: SimulatedLink): void {
    link = next
    if (timer) clearTimeout(timer)
    timer = null
    changeLog.moved()
  }

  function showCode(): void {
    codes += 1
    if (codes > CODES) return setLink({ status: 'expired', code: '408' })
    const parts = [32, 32, 32, 16].map((bytes) => randomBytes(bytes).toString('base64'))
    setLink({ status: 'pairing', qr: `2@SIMULATED,${parts.join(',')}`, qrUntil: now() + QR_MS })
    timer = setTimeout(showCode, QR_MS)
    timer.unref()
  }

  function setKept(name: string, value: string | null): void {
    if (value === null) names.delete(name)
    else names.add(name)
    changeLog.keep(name, value)
  }

  const number = state.creds
  if (number === undefined) showCode()
  else setLink({ status: 'linked', number })

  return {
    id: randomBytes(16).toString('hex'),
    link: () => link,
    setLink,
    /** Scans the code with the phone. @throws Error if no code is shown */
    scan(by: string): void {
      if (link.status !== 'pairing') throw new Error('No code is shown')
      setKept('creds', by)
      for (let key = 1; key <= PRE_KEYS; key += 1) {
        setKept(`pre-key/${key}`, randomBytes(32).toString('hex'))
      }
      // Right after pairing WhatsApp requires a new connection.
      setLink({ status: 'connecting', code: '515' })
      setLink({ status: 'linked', number: by })
    },
    /** Invalidates the keys. */
    wipe(): void {
      for (const name of names) setKept(name, null)
    },
    /** Reports an event and changes a key with it, as each message does at WhatsApp. */
    tell(event: string, data: unknown, with_: string): void {
      setKept(`session/${with_}`, randomBytes(24).toString('base64'))
      changeLog.add(event, data)
    },
    waitingEvents: changeLog.waitingEvents,
    /** Returns the changes after `after`, which it confirms; waits until there is one. */
    async round(after: number, waitMs: number, signal: AbortSignal) {
      return { ...(await changeLog.round(after, waitMs, signal)), link }
    },
    end(): void {
      if (timer) clearTimeout(timer)
      changeLog.end()
    },
  }
}
