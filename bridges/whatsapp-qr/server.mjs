/** The protocol of docs/reference/qr-bridge.md over HTTP: on loopback or a Unix socket, with a shared secret. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createNumber } from './number.mjs'

const STATE_BYTES = 64 * 1_048_576
const UPLOAD_BYTES = 101 * 1_048_576
const UPLOADS_HELD_BYTES = 256 * 1_048_576
const UPLOAD_MS = 5 * 60_000
const MOST_WAIT_MS = 60_000
/** A number that nobody asks for is let go. */
const LEFT_MS = 2 * 60_000

class Refusal extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** @param name what `health` calls the bridge; the rest is createNumber's */
export function createBridge({ secret, name, ...deps }) {
  const numbers = new Map()
  const uploads = new Map()
  const stopping = new AbortController()
  let held = 0

  const sweeper = setInterval(() => {
    for (const [id, number] of numbers) {
      if (Date.now() - number.askedAt() > LEFT_MS) {
        number.end()
        numbers.delete(id)
      }
    }
    for (const [id, { until }] of uploads) if (until < Date.now()) forgetUpload(id)
  }, 10_000)
  sweeper.unref()

  function forgetUpload(id) {
    held -= uploads.get(id)?.bytes.length ?? 0
    uploads.delete(id)
  }

  function sessionOf(id, session) {
    const number = numbers.get(id)
    if (!number || number.session !== session) {
      throw new Refusal(409, 'no_session', 'Open the number first, with what is kept of it')
    }
    return number
  }

  function linkedOf(id) {
    const number = numbers.get(id)
    const status = number?.link().status
    if (!number || ['pairing', 'expired', 'logged_out'].includes(status)) {
      throw new Refusal(409, 'not_linked', 'The number is not linked')
    }
    if (status === 'banned') throw new Refusal(403, 'banned', 'WhatsApp has closed the number')
    if (status !== 'linked') {
      throw new Refusal(503, 'not_connected', 'WhatsApp is not reached for the moment')
    }
    return number
  }

  const verbs = {
    async open(request, id) {
      const { state = {} } = await readJson(request, STATE_BYTES)
      numbers.get(id)?.end()
      const number = createNumber(state, deps)
      numbers.set(id, number)
      return { session: number.session }
    },
    async events(request, id, left) {
      const { session, after = 0, waitMs = 0 } = await readJson(request, 65_536)
      const number = sessionOf(id, session)
      const signal = AbortSignal.any([stopping.signal, left])
      const round = await number.round(Number(after) || 0, Math.min(waitMs, MOST_WAIT_MS), signal)
      // Whoever opened it meanwhile has all of it.
      sessionOf(id, session)
      return round
    },
    async messages(request, id) {
      const { id: messageId, to, text, media } = await readJson(request, 262_144)
      const address = to?.number ? `${to.number}@s.whatsapp.net` : to?.lid
      const upload = media ? uploads.get(media.upload) : undefined
      const isWhole = typeof messageId === 'string' && typeof address === 'string'
      if (!isWhole || (typeof text !== 'string' && !upload)) {
        throw new Refusal(400, 'bad_request', 'id, to and text or media are needed')
      }
      const content = upload ? { ...media, bytes: upload.bytes } : { text }
      try {
        await linkedOf(id).send(messageId, address, content)
      } catch (error) {
        if (error instanceof Refusal) throw error
        // Only a connection that is closed surely took nothing.
        if (error?.output?.statusCode !== 428) throw error
        throw new Refusal(503, 'not_connected', 'WhatsApp is not reached for the moment')
      }
      if (media) forgetUpload(media.upload)
      return { id: messageId }
    },
    async uploads(request, id) {
      linkedOf(id)
      const bytes = await readBytes(request, UPLOAD_BYTES)
      if (held + bytes.length > UPLOADS_HELD_BYTES) {
        throw new Refusal(503, 'not_connected', 'Too many files wait to be sent')
      }
      const upload = randomBytes(12).toString('hex')
      uploads.set(upload, { bytes, until: Date.now() + UPLOAD_MS })
      held += bytes.length
      return { upload }
    },
    async media(request, id) {
      const { mostBytes, ...media } = await readJson(request, 65_536)
      const found = await linkedOf(id).download(media, mostBytes)
      if (found === 'gone') throw new Refusal(410, 'gone', 'WhatsApp has it no more')
      if (found === 'too_large') throw new Refusal(413, 'too_large', 'This file is too large')
      return found
    },
    async logout(request, id) {
      await readJson(request, 65_536)
      await numbers.get(id)?.logout()
      return {}
    },
  }

  async function answer(request, response) {
    const left = new AbortController()
    response.on('close', () => left.abort())
    if (!isSecret(request.headers.authorization, secret)) {
      throw new Refusal(401, 'wrong_secret', 'Show the secret of the bridge')
    }
    const { pathname } = new URL(request.url, 'http://bridge')
    if (request.method === 'GET' && pathname === '/v1/health') return { protocol: 1, bridge: name }
    const [, id, verb] = /^\/v1\/numbers\/([^/]{1,200})\/([a-z]+)$/.exec(pathname) ?? []
    if (request.method !== 'POST' || !Object.hasOwn(verbs, verb ?? '')) {
      throw new Refusal(404, 'not_found', 'There is nothing here')
    }
    return verbs[verb](request, decodeURIComponent(id), left.signal)
  }

  const server = createServer((request, response) => {
    answer(request, response)
      .then((result) => {
        const isBytes = Buffer.isBuffer(result)
        const type = isBytes ? 'application/octet-stream' : 'application/json'
        response.writeHead(200, { 'content-type': type })
        response.end(isBytes ? result : JSON.stringify(result))
      })
      .catch((error) => {
        const { status, code, message } =
          error instanceof Refusal ? error : { status: 500, message: 'It went wrong' }
        response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
        // Without a code nobody can tell whether anything went out.
        response.end(JSON.stringify(code ? { error: { code, message } } : {}))
      })
  })
  server.requestTimeout = 5 * 60_000

  return {
    server,
    async close() {
      stopping.abort()
      clearInterval(sweeper)
      for (const number of numbers.values()) number.end()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isSecret(authorization = '', secret) {
  const hash = (text) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization), hash(`Bearer ${secret}`))
}

async function readBytes(request, mostBytes) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Refusal(413, 'too_large', 'This request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readJson(request, mostBytes) {
  const text = (await readBytes(request, mostBytes)).toString('utf8')
  try {
    const value = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Said below.
  }
  throw new Refusal(400, 'bad_request', 'The body is a JSON object')
}
