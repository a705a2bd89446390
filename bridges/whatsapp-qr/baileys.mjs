/** The only file that knows Baileys: its socket as six methods, and its values as text. */
import { setTimeout } from 'node:timers/promises'
import makeWASocket, {
  Browsers,
  BufferJSON,
  DisconnectReason,
  downloadContentFromMessage,
  initAuthCreds,
  jidNormalizedUser,
  proto,
} from 'baileys'

/** How long what is just being read or sent may take, before a socket is ended over it; and then its closing. */
const READING_MS = 2_000
const CLOSING_MS = 1_000

const SILENT = {
  level: 'silent',
  child: () => SILENT,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
}

export const codec = {
  write: (value) => JSON.stringify(value, BufferJSON.replacer),
  read: (text) => JSON.parse(text, BufferJSON.reviver),
  newCreds: initAuthCreds,
  /** Whose keys they are, as far as they say it: of no number before somebody has scanned. */
  idsOf: ({ me }) => ({ number: numberOf(me), lid: me?.lid }),
  readKey: (type, value) =>
    type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value) : value,
}

export async function connect({ state, onUpdate, onEvent }) {
  const keys = untilShut(state.keys)
  const sending = new Set()
  const socket = makeWASocket({
    auth: { creds: state.creds, keys: keys.own },
    browser: Browsers.ubuntu('Wasla'),
    logger: SILENT,
    // The phone goes on ringing.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    generateHighQualityLinkPreview: false,
  })

  /**
   * In one step: what fails for want of keys while WhatsApp is still there to be told of it is brought no more, and what
   * has moved them once it is gone is brought in vain.
   */
  function close() {
    keys.shut()
    // Its closing may take a while.
    socket.ev.flush()
    return socket.end(undefined)
  }

  return {
    /** From here on it tells: whoever waits for it has it. */
    start() {
      socket.ev.on('creds.update', (update) => {
        Object.assign(state.creds, update)
        state.keepCreds()
      })
      socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
        if (connection === 'close') {
          keys.shut()
          // What it has said to WhatsApp to have, and holds back, it would throw away now.
          socket.ev.flush()
        }
        const code = lastDisconnect?.error?.output?.statusCode ?? DisconnectReason.connectionClosed
        onUpdate({ qr, connection, code, number: numberOf(socket.user), lid: socket.user?.lid })
      })
      // Whatever came while nobody looked comes in one: each is told by itself, so that none is too large to be taken.
      socket.ev.on('messages.upsert', ({ messages, ...about }) => {
        for (const message of messages) {
          onEvent('messages.upsert', asTold({ ...about, messages: [message] }))
        }
      })
      socket.ev.on('lid-mapping.update', (data) => onEvent('lid-mapping.update', asTold(data)))
    },
    async send(messageId, to, content) {
      const sent = socket.sendMessage(to, asBaileys(content), { messageId })
      sending.add(sent)
      await sent.finally(() => sending.delete(sent))
    },
    async download({ kind, mediaKey, directPath, url }, mostBytes) {
      const of = { mediaKey: Buffer.from(mediaKey, 'base64'), directPath, url }
      try {
        const chunks = []
        let bytes = 0
        for await (const chunk of await downloadContentFromMessage(of, kind)) {
          bytes += chunk.length
          if (bytes > mostBytes) return 'too_large'
          chunks.push(chunk)
        }
        return Buffer.concat(chunks)
      } catch (error) {
        const status = error?.output?.statusCode ?? error?.response?.status
        if (status === 404 || status === 410) return 'gone'
        throw error
      }
    },
    logout: () => socket.logout(),
    /**
     * What is just being read is told first, and what is being sent keeps its keys. It is closed in the turn of a
     * message, so that the next one, which came already, is not begun.
     */
    async end() {
      socket.ws.removeAllListeners('message')
      const isClosed = socket.messageMutex.mutex(async () => {
        await Promise.allSettled(sending)
        await close()
      })
      await Promise.race([isClosed, pause(READING_MS)])
      await Promise.race([close(), pause(CLOSING_MS)])
    },
  }
}

const pause = (ms) => setTimeout(ms, undefined, { ref: false })

const numberOf = (user) => jidNormalizedUser(user?.id ?? '').split('@')[0]

/** Keys as one connection has them: once it is shut, whatever still works in it neither reads nor moves any. */
function untilShut({ get, set }) {
  let isShut = false
  const whileOpen =
    (use) =>
    async (...asked) => {
      if (isShut) throw new Error('This connection has ended')
      return use(...asked)
    }
  return {
    own: { get: whileOpen(get), set: whileOpen(set) },
    shut() {
      isShut = true
    },
  }
}

/** Bytes as Base64, and numbers as they are. */
const asTold = (data) => JSON.parse(JSON.stringify(data, asBase64))

/** As JSON writes bytes before anybody is asked: `{ type: 'Buffer', data }`. */
function asBase64(_key, value) {
  if (value?.type === 'Buffer' && Array.isArray(value.data)) {
    return Buffer.from(value.data).toString('base64')
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

function asBaileys({ text, kind, bytes, mimeType, caption, fileName }) {
  if (text !== undefined) return { text }
  const about = { mimetype: mimeType, ...(caption && { caption }) }
  switch (kind) {
    case 'image':
      return { image: bytes, ...about }
    case 'video':
      return { video: bytes, ...about }
    case 'audio':
      return { audio: bytes, mimetype: mimeType }
    default:
      return { document: bytes, fileName: fileName ?? 'file', ...about }
  }
}
