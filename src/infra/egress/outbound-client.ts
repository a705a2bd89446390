/**
 * The only HTTP client for merchants' servers. Every call goes to a public `https` address that was checked when its
 * connection was opened. It verifies the certificate, follows no redirect, keeps no cookie, uses no proxy,
 * decompresses nothing, and ends at one absolute deadline. Connections are kept alive for a few seconds and shared,
 * within a maximum per origin and in total.
 */
import { fact, type Fact } from '../../core/facts/fact.ts'
import type { TLSSocket } from 'node:tls'
import { Client } from 'undici'
import { isForbiddenPort } from '../../rules/addresses/merchant-url.ts'
import type { AttemptError } from '../../core/vocabulary/deliveries.ts'
import { exchange, MAX_HEADER_BYTES, type ExchangeResult } from './exchange.ts'
import type { AddressGuard } from './guarded-addresses.ts'
import { openSocket, type OpenTimings } from './open-socket.ts'
import { OutboundError } from './outbound-error.ts'
import { adaptHeads } from './adapt-heads.ts'
import { SocketSlots, type SocketSlot } from './socket-slots.ts'
import { trustedAuthorities } from './trusted-authorities.ts'

/** Shorter than the timeouts of common servers, so that the peer rarely closes first. */
const KEEP_ALIVE_MS = 4_000
const KEEP_ALIVE_MARGIN_MS = 1_000

/** A request to a merchant's server. */
export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute, `https:`, in the form in which it was saved. */
  url: string
  /** Names and values; text outside of ASCII is sent as UTF-8. The caller makes names unique. */
  headers: readonly (readonly [string, string])[]
  body: Uint8Array | null
  /** Time for everything: DNS lookup, connection, TLS and response. */
  deadlineMs: number
  /** Time for DNS lookup, connection and TLS, within the deadline. */
  connectMs: number
  /** Maximum number of bytes of the response's body that are read; the rest is dropped. */
  answerBytes: number
  /** True when an error within the body counts as an error of the request; else status line and headers decide. */
  readWholeAnswer: boolean
  /**
   * True to repeat a request over a new connection when a kept-alive one closed without a byte of response. It is the
   * default: deliveries are at-least-once. An unwritten request is always sent over a new connection.
   */
  retryStale?: boolean
}

/** The durations of the phases of a request. */
export type OutboundTimings = {
  /** Null without a look-up: a kept-alive connection, or a literal address. */
  dnsMs: number | null
  /** TCP and TLS together; null on a kept-alive connection. */
  connectMs: number | null
  /** Time from the request to the end of the response's headers. */
  answerMs: number | null
}

/** The response of a merchant's server, or the error that explains why there is none. */
export type OutboundAnswer =
  | {
      kind: 'answer'
      status: number
      /** Raw names and values, at most 8 KB; Content-Encoding is included at any position. */
      headers: [string, string][]
      /** True when there were more headers. */
      areHeadersCut: boolean
      /** The first `answerBytes` of the body, as sent. */
      head: Buffer
      /** True when the body was, or may have been, longer. */
      truncated: boolean
      /** The peer's address, for the internal log only, never for a merchant. */
      remoteAddress: string | null
      timings: OutboundTimings
    }
  | {
      kind: 'error'
      error: AttemptError
      /** The explanation of the error, and what to check. */
      detail: Fact
      /** The status, when only the body failed. */
      status?: number
      remoteAddress: string | null
      timings: OutboundTimings
    }

/** The current number of sockets, of requests that wait for one, and of origins; and two counters. */
export type OutboundStats = {
  sockets: number
  idle: number
  waiting: number
  origins: number
  /** Connections opened, and requests made over one that was already open. */
  opened: number
  reused: number
}

/** The HTTP client for merchants' servers. */
export type OutboundClient = {
  /** Makes one request. Never throws. */
  send(request: OutboundRequest): Promise<OutboundAnswer>
  stats(): OutboundStats
  /** Refuses new requests and closes every idle connection. Requests in progress still finish. */
  close(): void
}

/**
 * Creates the HTTP client for merchants' servers, with a pool of connections per origin. `extraCa` (PEM) is added to
 * the default roots. Only the operator and tests may loosen `isAllowedAddress`. Defaults: 8 sockets per origin, 512 in
 * total.
 */
export function createOutboundClient({
  extraCa = [],
  maxSocketsPerOrigin = 8,
  maxSocketsTotal = 512,
  ...guard
}: AddressGuard & {
  extraCa?: readonly string[]
  maxSocketsPerOrigin?: number
  maxSocketsTotal?: number
}): OutboundClient {
  const secureContext = trustedAuthorities(extraCa)
  const slots = new SocketSlots({ perOrigin: maxSocketsPerOrigin, total: maxSocketsTotal })
  let opened = 0
  let reused = 0
  let isClosed = false

  const open = async (slot: SocketSlot, target: Target, openMs: number, timings: OpenTimings) => {
    const socket = await openSocket(target, { guard, secureContext, openMs, timings })
    opened++
    const expectAnswer = adaptHeads(socket)
    const client = clientOver(target.origin, socket)
    socket.once('close', () => slots.connectionClosed(slot))
    const remoteAddress = socket.remoteAddress ?? null
    return { client, socket, remoteAddress, expectAnswer, openedAt: performance.now() }
  }

  /** Makes one attempt over one connection. Returns null when a kept-alive connection was dead. */
  const attempt = async (
    request: OutboundRequest,
    target: Target,
    endsAt: number,
    isRepeat: boolean,
  ): Promise<OutboundAnswer | null> => {
    const timings: OutboundTimings = { dnsMs: null, connectMs: null, answerMs: null }
    const msLeft = () => endsAt - performance.now()
    const slot = await slots.take(target.origin, msLeft(), isRepeat)
    if (slot === null) return errorAnswer(busy(), timings)
    let isReusable = false
    try {
      const isReused = slot.connection !== null
      const openMs = Math.min(request.connectMs, msLeft())
      slot.connection ??= await open(slot, target, openMs, timings)
      if (isReused) reused++
      const { remoteAddress } = slot.connection

      slot.connection.expectAnswer()
      const result = await exchange(slot.connection.client, {
        ...request,
        path: target.path,
        waitMs: msLeft(),
      })
      isReusable = result.isReusable && !isClosed
      const isLost = isReused && result.error?.code === 'connection_reset'
      const mayRepeat = result.isUnsent || (result.isUnanswered && request.retryStale !== false)
      if (isLost && mayRepeat && !isRepeat) return null
      return toAnswer(result, { ...timings, answerMs: result.answerMs }, remoteAddress)
    } catch (error) {
      return errorAnswer(asOutboundError(error), timings)
    } finally {
      slots.release(slot, isReusable)
    }
  }

  return {
    async send(request) {
      const endsAt = performance.now() + request.deadlineMs
      const timings: OutboundTimings = { dnsMs: null, connectMs: null, answerMs: null }
      if (isClosed) return errorAnswer(stopping(), timings)
      const target = targetOf(request.url)
      if (target instanceof OutboundError) return errorAnswer(target, timings)
      const answer = await attempt(request, target, endsAt, false)
      return (
        answer ?? (await attempt(request, target, endsAt, true)) ?? errorAnswer(busy(), timings)
      )
    },
    stats: () => ({ ...slots.counts, opened, reused }),
    close() {
      isClosed = true
      slots.closeIdle()
    },
  }
}

type Target = { origin: string; hostname: string; port: number; path: string }

/** Maximum of cached parsed URLs: the same few are used repeatedly, and parsing takes longer than a look-up. */
const TARGETS_KEPT = 1_000
const targets = new Map<string, Target | OutboundError>()

function targetOf(text: string): Target | OutboundError {
  const known = targets.get(text)
  if (known) return known
  const target = readTarget(text)
  if (targets.size >= TARGETS_KEPT) targets.clear()
  targets.set(text, target)
  return target
}

function readTarget(text: string): Target | OutboundError {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    return new OutboundError('url_refused', fact('not_an_https_url'))
  }
  const port = url.port === '' ? 443 : Number(url.port)
  if (isForbiddenPort(port)) return new OutboundError('url_refused', fact('port_not_usable'))
  url.hostname = url.hostname.replace(/\.$/, '')
  return { origin: url.origin, hostname: url.hostname, port, path: url.pathname + url.search }
}

/** Creates an undici client for a socket that is already open; it never opens another one. */
function clientOver(origin: string, socket: TLSSocket): Client {
  let isTaken = false
  return new Client(origin, {
    connect(_options, callback) {
      // undici would reconnect automatically after the peer has left, without the guard.
      const gone = isTaken || socket.destroyed
      isTaken = true
      queueMicrotask(() => {
        if (gone) callback(new OutboundError('connection_reset', fact('connection_gone')), null)
        else callback(null, socket)
      })
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
  })
}

function toAnswer(
  { status, error, ...result }: ExchangeResult,
  timings: OutboundTimings,
  remoteAddress: string | null,
): OutboundAnswer {
  if (error === null && status !== null) {
    const { headers, areHeadersCut, head, truncated } = result
    return {
      kind: 'answer',
      status,
      headers,
      areHeadersCut,
      head,
      truncated,
      remoteAddress,
      timings,
    }
  }
  const answer = errorAnswer(error ?? stopping(), timings, remoteAddress)
  return status === null ? answer : { ...answer, status }
}

function errorAnswer(
  error: OutboundError,
  timings: OutboundTimings,
  remoteAddress: string | null = null,
): Extract<OutboundAnswer, { kind: 'error' }> {
  return { kind: 'error', error: error.code, detail: error.detail, remoteAddress, timings }
}

function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  return new OutboundError('connection_reset', fact('call_could_not_be_made'))
}

const busy = (): OutboundError => new OutboundError('timeout', fact('server_busy'))

const stopping = (): OutboundError =>
  new OutboundError('connection_reset', fact('service_stopping'))
