/**
 * The streams of visitors: server-sent events on the raw response, which is all that is kept of a stream. Each line
 * is an event `message` whose id is a position; a client that reconnects with `Last-Event-ID`, or `after` in the
 * query, receives the messages it missed. One timer serves all streams.
 *
 * Spec: Channels › The website's chat.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fact } from '../../core/facts/fact.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { STREAM_LIMITS, VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { ServiceError } from '../../core/service-error.ts'
import { consumeTicket } from '../../modules/visitors/tickets.ts'
import { readAcceptLanguage } from '../accept-language.ts'
import { createAddressLimit } from '../ip-rate-limiter.ts'
import { createPoolShare } from '../pool-share.ts'
import { endRequest, dropIfClosing } from '../raw-response.ts'
import { asRefusal, isForTheOperator, PROBLEM_TYPE, problemOf } from '../errors.ts'
import type { HttpDeps } from '../http-deps.ts'

/** The path of visitors' streams. */
export const STREAM_PATH = '/widget/v1/stream'

type Open = { response: ServerResponse; beatAtMs: number; endAtMs: number }

/**
 * Creates the handler of raw requests at `STREAM_PATH`, which opens a stream or answers why it does not. It never
 * rejects.
 */
export function createStreamHandler(deps: HttpDeps) {
  const { clock, visitorStreams, connectionShare, clientAddress, isStopping } = deps
  const streams = new Set<Open>()
  const openOf = createPoolShare(STREAM_LIMITS.perAddress)
  const requestLimit = createAddressLimit(VISITOR_LIMITS.requestsPerAddressPerMinute)
  let timer: NodeJS.Timeout | null = null

  function beat(): void {
    const now = performance.now()
    const isOver = isStopping()
    for (const stream of streams) {
      if (isOver || now >= stream.endAtMs) end(stream)
      else if (now >= stream.beatAtMs) {
        stream.beatAtMs = now + STREAM_LIMITS.heartbeatMs
        write(stream, 'event: beat\ndata: {}\n\n')
      }
    }
    if (streams.size > 0) return
    clearInterval(timer!)
    timer = null
  }

  function end({ response }: Open): void {
    response.end()
    response.socket?.destroySoon()
  }

  function write(stream: Open, text: string): void {
    // A reader that leaves too much unread is disconnected, and reconnects when it can.
    if (stream.response.writableLength > STREAM_LIMITS.unreadBytes) stream.response.destroy()
    else stream.response.write(text)
  }

  /** Opens the stream of the ticket's visitor. @throws ServiceError */
  async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = clientAddress(request)
    const isTooMuch = !requestLimit.admit(address, clock.now())
    if (isTooMuch || !openOf.hasRoom(address, 1)) throw full()
    const { searchParams: query } = new URL(request.url ?? '', 'http://localhost')
    const ticket = query.get('ticket') ?? ''
    const holder = await consumeTicket(deps, ticket)
    if (!holder) throw new ServiceError('not_signed_in', fact('ticket_used_up'))
    // Other streams may have opened while the ticket was looked up.
    if (!openOf.hasRoom(address, 1) || !visitorStreams.hasRoom(holder.visitorId)) throw full()
    if (response.destroyed) return
    const position = String(request.headers['last-event-id'] ?? query.get('after') ?? '')
    const now = performance.now()
    // Heartbeats and ends of streams that opened together are spread over time, by the random part of the ticket.
    const share = (ticket.charCodeAt(deps.ids.cell.length) % SHARES) / SHARES
    const stream: Open = {
      response,
      beatAtMs: now + STREAM_LIMITS.heartbeatMs * share,
      endAtMs: now + STREAM_LIMITS.streamMs * (1 - share / 4),
    }
    response.writeHead(200, HEADERS)
    connectionShare.stopCounting(request.socket)
    openOf.add(address, 1)
    streams.add(stream)
    timer ??= setInterval(beat, SECOND_MS)
    response.write('retry: 2000\n: listening\n\n')
    const stop = visitorStreams.open({
      ...holder,
      end: () => end(stream),
      positionMs: /^\d{1,15}$/.test(position) ? Number(position) : clock.now().getTime(),
      send(messages) {
        const events = messages.map(
          ({ message, shownMs }) =>
            `id: ${shownMs}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`,
        )
        write(stream, events.join(''))
      },
    })
    response.once('close', () => {
      stop()
      streams.delete(stream)
      openOf.add(address, -1)
    })
  }

  return async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (dropIfClosing(request)) return
    try {
      if (request.method !== 'GET') throw new ServiceError('not_found', fact('nothing_at_address'))
      await open(request, response)
    } catch (thrown) {
      refuse(deps, request, response, thrown)
    }
  }
}

function refuse(
  { log, ids, publicUrl }: HttpDeps,
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
): void {
  const refusal = asRefusal(thrown)
  if (isForTheOperator(refusal)) log.error({ err: thrown }, 'visitor stream failed')
  const problem = problemOf(refusal, {
    language: readAcceptLanguage(request.headers['accept-language']),
    requestId: `req_${ids.token(REQUEST_ID_BYTES)}`,
    publicUrl: publicUrl(),
  })
  const { retryAfterMs, code } = refusal
  const { status, requestId, reason } = problem
  log.info(
    { requestId, method: request.method, route: STREAM_PATH, status, code, reason },
    'a request was refused',
  )
  endRequest(request, response, {
    status: problem.status,
    type: PROBLEM_TYPE,
    text: JSON.stringify(problem),
    headers:
      retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
    readsRest: false,
  })
}

const REQUEST_ID_BYTES = 12
const SHARES = 32

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // A buffering proxy would delay every line.
  'x-accel-buffering': 'no',
}

function full(): ServiceError {
  return new ServiceError('rate_limited', fact('streams_full'), {
    retryAfterMs: STREAM_LIMITS.heartbeatMs,
  })
}
