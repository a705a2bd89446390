import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ServerResponse } from 'node:http'
import type { Handler } from 'hono'
import { fact } from '../../facts/fact.ts'
import { SECOND_MS } from '../../limits/units.ts'
import { STREAM_LIMITS } from '../../limits/visitors.ts'
import { ServiceError } from '../../service-error.ts'
import { takeTicket } from '../../visitors/tickets.ts'
import type { HttpDeps } from '../http-deps.ts'
import type { VisitorEnv } from './visitor-env.ts'

type Open = { response: ServerResponse; beatAtMs: number; endAtMs: number; end(): void }

/**
 * The stream of a visitor: server-sent events on the raw answer, which is all that is held of it. Each line is
 * an event `message` whose id is where to go on; who comes back with `Last-Event-ID`, or `after` in the query,
 * is told what they missed. One timer serves all streams.
 *
 * Spec: Channels › The website's chat.
 */
export function createStreamDoor({
  db,
  clock,
  visitorStreams,
  connectionShare,
  clientAddress,
  isStopping,
}: HttpDeps): Handler<VisitorEnv> {
  const streams = new Set<Open>()
  const perAddress = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null

  function beat(): void {
    const now = performance.now()
    const isOver = isStopping()
    for (const stream of streams) {
      if (isOver || now >= stream.endAtMs) stream.end()
      else if (now >= stream.beatAtMs) {
        stream.beatAtMs = now + STREAM_LIMITS.heartbeatMs
        write(stream, ': beat\n\n')
      }
    }
    if (streams.size > 0) return
    clearInterval(timer!)
    timer = null
  }

  function write({ response, end }: Open, text: string): void {
    // A reader that leaves too much unread comes back when it can.
    if (response.writableLength > STREAM_LIMITS.unreadBytes) end()
    else response.write(text)
  }

  return async (c) => {
    const { incoming, outgoing } = c.env
    const address = clientAddress(incoming)
    if ((perAddress.get(address) ?? 0) >= STREAM_LIMITS.perAddress) throw full()
    const holder = await takeTicket({ db, clock }, c.req.query('ticket') ?? '')
    if (!holder) throw new ServiceError('not_signed_in', fact('ticket_used_up'))
    if (!visitorStreams.hasRoom(holder.visitorId)) throw full()
    const position = c.req.header('last-event-id') ?? c.req.query('after') ?? ''
    const now = performance.now()
    // Those that were opened together do not beat, nor end, together.
    const share = Math.random()
    const stream: Open = {
      response: outgoing as ServerResponse,
      beatAtMs: now + STREAM_LIMITS.heartbeatMs * share,
      endAtMs: now + STREAM_LIMITS.streamMs * (1 - share / 4),
      end() {
        outgoing.end()
        outgoing.destroy()
      },
    }
    outgoing.writeHead(200, {
      ...Object.fromEntries(c.res.headers),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that gathers answers would hold every line back.
      'x-accel-buffering': 'no',
    })
    connectionShare.setAside(incoming.socket)
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
    streams.add(stream)
    timer ??= setInterval(beat, SECOND_MS)
    outgoing.write('retry: 2000\n: listening\n\n')
    const stop = visitorStreams.open({
      ...holder,
      positionMs: /^\d{1,15}$/.test(position) ? Number(position) : Date.now(),
      tell(lines) {
        write(
          stream,
          lines
            .map(
              ({ message, shownMs }) =>
                `id: ${shownMs}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`,
            )
            .join(''),
        )
      },
    })
    outgoing.once('close', () => {
      stop()
      streams.delete(stream)
      const left = perAddress.get(address)! - 1
      if (left === 0) perAddress.delete(address)
      else perAddress.set(address, left)
    })
    return RESPONSE_ALREADY_SENT
  }
}

function full(): ServiceError {
  return new ServiceError('rate_limited', fact('streams_full'), {
    retryAfterMs: STREAM_LIMITS.heartbeatMs,
  })
}
