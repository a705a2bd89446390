/**
 * The only client for models' servers. It follows no redirect, decompresses nothing, reads at most the limit of a
 * response, and has one deadline for the whole exchange. Failures are returned as codes, without any text of the
 * request or the response.
 */
import { Agent, type buildConnector, type Dispatcher } from 'undici'
import { fact } from '../../core/facts/fact.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { openSocket } from '../../infra/egress/open-socket.ts'
import { OutboundError } from '../../infra/egress/outbound-error.ts'
import { trustedAuthorities } from '../../infra/egress/trusted-authorities.ts'
import { isForbiddenPort } from '../../rules/addresses/merchant-url.ts'
import type { ModelFailure } from './model.ts'
import { SECOND_MS } from '../../core/limits/units.ts'

/** Messages by which servers refuse a request with more tokens than the model accepts. */
const TOO_LONG =
  /context[ _-]?(length|size|window)|maximum context|prompt is too long|too many (input )?tokens|input is too long|exceeds? the (available )?context|request_too_large/i
const FILTERED = /content_filter|content_policy|content management policy/i

/** Classifies an unsuccessful response by its status and the beginning of its body. */
function classifyHttpFailure(status: number, body: string): ModelFailure {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status === 425 || status >= 500) return 'server_error'
  if (TOO_LONG.test(body)) return 'context_too_long'
  return FILTERED.test(body) ? 'filtered' : 'bad_request'
}

/** Returns the milliseconds of a `Retry-After` in seconds; null where there is none, or a date. */
function readRetryAfter(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{1,6}(\.\d+)?$/.test(value.trim())) return null
  return Number(value) * SECOND_MS
}

/** A request to a model's server. */
export type ModelHttpRequest = {
  url: string
  headers: Record<string, string>
  body: string | Buffer
  signal: AbortSignal
}

/** The body of a successful response, or a failure; `status` is null without a response. */
export type ModelHttpResponse =
  | { ok: true; body: Buffer }
  | { ok: false; failure: ModelFailure; status: number | null; retryAfterMs: number | null }

/** A client that posts JSON, or a form, to a model's server. It never throws. */
export type ModelHttpClient = {
  post(request: ModelHttpRequest): Promise<ModelHttpResponse>
  /** Ends requests in flight and closes every connection. */
  close(): Promise<void>
}

/**
 * The kind of a server's address: that of a member must be public and `https`, that of the operator is used as given.
 */
export type ModelHttpKind = 'guarded' | 'operator'

/**
 * Creates the HTTP client of language models' servers. `requestMs` is for tests, which cannot wait as long as a
 * customer does.
 */
export function createModelHttpClient({
  kind,
  guard,
  extraCa,
  requestMs = MODEL_LIMITS.requestMs,
}: {
  kind: ModelHttpKind
  guard: AddressGuard
  extraCa: readonly string[]
  requestMs?: number
}): ModelHttpClient {
  const secureContext = trustedAuthorities(extraCa)
  const agent = new Agent({
    connections: MODEL_LIMITS.sockets,
    clientTtl: MODEL_LIMITS.socketLifeMs,
    allowH2: false,
    // One deadline covers the whole exchange; undici's timeouts restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect:
      kind === 'guarded'
        ? guardedConnect(guard, secureContext)
        : { secureContext, timeout: MODEL_LIMITS.connectMs },
  })
  return { post: (request) => post(agent, request, requestMs), close: () => agent.destroy() }
}

/** Resolves the host, checks its addresses and verifies the certificate for each connection. */
function guardedConnect(
  guard: AddressGuard,
  secureContext: ReturnType<typeof trustedAuthorities>,
): buildConnector.connector {
  const open = async ({ protocol, hostname, port }: buildConnector.Options) => {
    const target = { hostname, port: port === '' ? 443 : Number(port) }
    if (protocol !== 'https:' || isForbiddenPort(target.port)) {
      throw new OutboundError('url_refused', fact('not_an_https_url'))
    }
    const timings = { dnsMs: null, connectMs: null }
    return openSocket(target, { guard, secureContext, openMs: MODEL_LIMITS.connectMs, timings })
  }
  return (options, callback) => void passSocket(open(options), callback)
}

/** Passes the result of `opening` to the callback. Never rejects. */
async function passSocket(
  opening: Promise<TlsSocket>,
  callback: Parameters<buildConnector.connector>[1],
): Promise<void> {
  let socket: TlsSocket
  try {
    socket = await opening
  } catch (error) {
    callback(error as Error, null)
    return
  }
  callback(null, socket)
}

type TlsSocket = Awaited<ReturnType<typeof openSocket>>

const USER_AGENT = 'Wasla'

async function post(
  agent: Agent,
  request: ModelHttpRequest,
  requestMs: number,
): Promise<ModelHttpResponse> {
  const ending = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ending.abort()
  }, requestMs)
  const onAbort = () => ending.abort()
  request.signal.addEventListener('abort', onAbort, { once: true })
  if (request.signal.aborted) ending.abort()
  let status: number | null = null
  try {
    const answer = await send(agent, request, ending.signal)
    status = answer.statusCode
    return await read(answer)
  } catch (error) {
    if (request.signal.aborted) return failed('cancelled', status)
    return failed(isLate ? 'timeout' : failureOf(error), status)
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', onAbort)
  }
}

function send(
  agent: Agent,
  { url, headers, body }: ModelHttpRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url)
  return agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: {
      ...headers,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
    },
    body,
    signal,
  })
}

async function read({
  statusCode: status,
  headers,
  body,
}: Dispatcher.ResponseData): Promise<ModelHttpResponse> {
  const isAnswer = status >= 200 && status < 300
  if (status >= 300 && status < 400) {
    discard(body)
    return failed('redirect_refused', status)
  }
  const maxBytes = isAnswer ? MODEL_LIMITS.answerBytes : MODEL_LIMITS.refusalBytes
  if (isAnswer && Number(headers['content-length'] ?? 0) > maxBytes) {
    discard(body)
    return failed('answer_too_large', status)
  }
  const { bytes, isCut } = await readUpTo(body, maxBytes)
  if (!isAnswer) {
    const failure = classifyHttpFailure(status, bytes.toString('utf8'))
    return { ok: false, failure, status, retryAfterMs: readRetryAfter(headers['retry-after']) }
  }
  return isCut ? failed('answer_too_large', status) : { ok: true, body: bytes }
}

type Body = Dispatcher.ResponseData['body']

async function readUpTo(body: Body, maxBytes: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const room = maxBytes - length
    chunks.push(Buffer.from(chunk.subarray(0, room)))
    length += Math.min(room, chunk.length)
    // Leaving the loop closes the connection.
    if (chunk.length > room) return { bytes: Buffer.concat(chunks), isCut: true }
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}

function discard(body: Body): void {
  body.on('error', () => undefined)
  body.destroy()
}

function failed(failure: ModelFailure, status: number | null): ModelHttpResponse {
  return { ok: false, failure, status, retryAfterMs: null }
}

const REFUSED = ['url_refused', 'address_refused']
const NOT_HTTP = ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']

function failureOf(error: unknown): ModelFailure {
  if (error instanceof OutboundError) {
    return REFUSED.includes(error.code) ? 'address_refused' : 'unreachable'
  }
  const { name, code } = error as { name?: string; code?: string }
  const isNotHttp = name === 'HTTPParserError' || NOT_HTTP.includes(code ?? '')
  return isNotHttp ? 'answer_unreadable' : 'unreachable'
}
