import type { IncomingMessage } from 'node:http'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { SECOND_MS } from '../core/limits/units.ts'
import type { TimeSlicer } from '../modules/inbound/time-slicer.ts'
import type { BodyBudget, BodySender } from './body-memory-budget.ts'
import { bufferBody, type Gathered } from './buffer-body.ts'

/**
 * The reason to refuse a body. `no_room`: the memory budget, or its share for this sender, is used up. `too_slow`:
 * the body arrives below the minimum rate.
 */
export type BodyRefusal = 'too_large' | 'no_room' | 'too_slow'

type Limits = {
  limit: number
  room: BodyBudget
  sender: BodySender
  /**
   * Time slices for bodies that may be large. These are read in turn with all others, so that a burst of them leaves
   * time for the rest, and are dropped when they arrive too slowly. Small ones have the server's 15 s.
   */
  slicer?: TimeSlicer
}

/**
 * Reads a body of at most `limit` bytes on the wire, with or without a `Content-Length`, and passes it, or the reason
 * of a refusal, to `use`. Reading does not start without a free budget, and stops when the budget is used up. The
 * memory is released when `use` ends.
 * @throws when the client disconnects.
 */
export async function withBody<Value>(
  request: IncomingMessage,
  limits: Limits,
  use: (body: Buffer | BodyRefusal) => Promise<Value>,
): Promise<Value> {
  const { room, sender, limit } = limits
  const length = request.headers['content-length']
  // The size of a chunked body is unknown in advance.
  const maxBytes = length === undefined ? limit : Number(length)
  if (maxBytes > limit) return use('too_large')
  const owner = { ...sender, isLarge: maxBytes > BODY_LIMITS.smallBytes }
  if (!room.isFree(Math.min(maxBytes, BODY_LIMITS.readAheadBytes), owner)) return use('no_room')
  let taken = 0
  const take = (bytes: number) => {
    if (!room.take(bytes, owner)) return false
    taken += bytes
    return true
  }
  try {
    return await use(await readBody(request, limits, bufferBody(maxBytes, take)))
  } finally {
    room.give(taken, owner)
  }
}

function readBody(
  request: IncomingMessage,
  { limit, slicer }: Limits,
  body: Gathered,
): Promise<Buffer | BodyRefusal> {
  return new Promise((resolve, reject) => {
    let seconds = 0
    let sizeBefore = 0
    let isStopped = false
    const timer = slicer ? setInterval(watch, SECOND_MS) : undefined
    function watch() {
      seconds += 1
      const came = body.size() - sizeBefore
      sizeBefore = body.size()
      if (seconds > BODY_LIMITS.slowSeconds && came < BODY_LIMITS.minBytesPerSecond) {
        stop('too_slow')
      }
    }
    function stop(why: BodyRefusal) {
      isStopped = true
      request.pause()
      request.removeAllListeners('data')
      clearInterval(timer)
      body.drop()
      resolve(why)
    }
    request.on('data', (part: Buffer) => {
      if (body.size() + part.length > limit) stop('too_large')
      else if (!body.add(part)) stop('no_room')
      else if (slicer) rest(slicer, part.length)
    })
    function rest(others: TimeSlicer, bytes: number) {
      request.pause()
      void others.take(bytes).then(() => {
        if (!isStopped) request.resume()
      })
    }
    request.on('end', () => {
      clearInterval(timer)
      resolve(body.whole())
    })
    request.on('error', reject)
    request.on('close', () => {
      clearInterval(timer)
      if (!request.complete) reject(new Error('the client broke off'))
    })
  })
}
