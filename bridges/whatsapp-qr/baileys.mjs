/** The only file that uses Baileys. It wraps the socket in six methods and converts its values to text. */
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

/** Time limits for a socket that ends: for the message it is reading or sending, and then for its closing. */
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

/** Converts keys and ids between the values of Baileys and text. */
export const codec = {
  write: (value) => JSON.stringify(value, BufferJSON.replacer),
  read: (text) => JSON.parse(text, BufferJSON.reviver),
  newCreds: initAuthCreds,
  /** Returns the number and id to which the keys belong. A new session has neither until its code is scanned. */
  idsOf: ({ me }) => ({ number: numberOf(me), lid: me?.lid }),
  readKey: (type, value) =>
    type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value) : value,
}

/** Opens a connection to WhatsApp with the stored keys of a number, by the library Baileys. */
export async function connect({ state, onUpdate, onEvent }) {
  const keys = untilShut(state.keys)
  const sending = new Set()
  const socket = makeWASocket({
    auth: { creds: state.creds, keys: keys.own },
    browser: Browsers.ubuntu('Wasla'),
    logger: SILENT,
    // The phone continues to show notifications.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    generateHighQualityLinkPreview: false,
  })

  /**
   * Takes the keys away and closes the socket in one step. If keys were removed earlier, a message that fails for lack
   * of them would be acknowledged and lost; if later, a message could advance the keys without being acknowledged, and
   * its redelivery could not be decrypted.
   */
  function close() {
    keys.shut()
    // Closing may take a while, so buffered events are reported first.
    socket.ev.flush()
    return socket.end(undefined)
  }

  return {
    /** Starts to report events. The caller has stored the socket by then. */
    start() {
      socket.ev.on('creds.update', (update) => {
        Object.assign(state.creds, update)
        state.keepCreds()
      })
      socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
        if (connection === 'close') {
          keys.shut()
          // The socket has acknowledged buffered events to WhatsApp already, and would drop them now.
          socket.ev.flush()
        }
        const code = lastDisconnect?.error?.output?.statusCode ?? DisconnectReason.connectionClosed
        onUpdate({ qr, connection, code, number: numberOf(socket.user), lid: socket.user?.lid })
      })
      // Messages of an offline period arrive together. Each is reported separately, so that no event is too large for
      // Wasla.
      socket.ev.on('messages.upsert', ({ messages, ...about }) => {
        for (const message of messages) {
          onEvent('messages.upsert', toPlainJson({ ...about, messages: [message] }))
        }
      })
      socket.ev.on('lid-mapping.update', (data) => onEvent('lid-mapping.update', toPlainJson(data)))
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
     * Ends the connection. The message in progress is reported first, and a send in progress keeps its keys. Closing
     * waits for the message queue, so that the next message is not started.
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

/**
 * Returns the keys for one connection. After `shut`, code of the connection that is still running can neither read nor
 * change them.
 */
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

/** Returns a value as plain JSON data: bytes become Base64, and numbers stay numbers. */
const toPlainJson = (data) => JSON.parse(JSON.stringify(data, asBase64))

/** Converts bytes to Base64. Buffers have become `{ type: 'Buffer', data }` before JSON calls this function. */
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
