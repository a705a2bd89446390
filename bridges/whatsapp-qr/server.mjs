/** The protocol of docs/reference/qr-bridge.md over HTTP: on loopback or a Unix socket, with a shared secret. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { Refusal } from './read-request.mjs'
import { createUploads } from './uploads.mjs'
import { createVerbs } from './verbs.mjs'

/** A number without requests is closed after this time, and removed once Wasla would not lose anything by it. */
const LEFT_MS = 2 * 60_000
const RESTED_MS = 20_000
const UNACKNOWLEDGED_MAX_MS = 7 * 24 * 60 * 60_000
const GIVEN_EVERY_MS = 50

/**
 * Creates the HTTP server of the bridge, which holds the linked numbers.
 * @param name the name of the bridge in `health`; the other values go to `createNumber`
 */
export function createBridge({ secret, name, ...deps }) {
  const numbers = new Map()
  const uploads = createUploads()
  const stopping = new AbortController()
  let isStopping = false

  const sweeper = setInterval(() => {
    for (const [id, number] of numbers) {
      const leftMs = Date.now() - number.askedAt()
      if (leftMs <= LEFT_MS) continue
      number.rest()
      // A message that is being read may still arrive.
      if (leftMs <= LEFT_MS + RESTED_MS) continue
      if (number.hasUnacknowledged() && leftMs <= UNACKNOWLEDGED_MAX_MS) continue
      void number.end()
      numbers.delete(id)
    }
    uploads.sweep(Date.now())
  }, 10_000)
  sweeper.unref()

  const verbs = createVerbs({
    numbers,
    uploads,
    deps,
    signal: stopping.signal,
    isStopping: () => isStopping,
  })

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
        // Without a code the client cannot know whether a message was sent.
        response.end(JSON.stringify(code ? { error: { code, message } } : {}))
      })
  })
  server.requestTimeout = 5 * 60_000

  return {
    server,
    /** @param giveMs the time for which the bridge continues to answer while Wasla lacks events */
    async close(giveMs = 0) {
      clearInterval(sweeper)
      isStopping = true
      await Promise.all([...numbers.values()].map((number) => number.end()))
      const until = Date.now() + giveMs
      // A number whose link has ended gets no more requests.
      const isAwaited = (number) =>
        number.hasUnacknowledged() && Date.now() - number.askedAt() <= LEFT_MS
      while (Date.now() < until && [...numbers.values()].some(isAwaited)) {
        await setTimeout(GIVEN_EVERY_MS)
      }
      stopping.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isSecret(authorization = '', secret) {
  const hash = (text) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization), hash(`Bearer ${secret}`))
}
