import type { IncomingMessage } from 'node:http'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { SECOND_MS } from '../core/limits/units.ts'
import type { TimeSlicer } from '../modules/inbound/time-slicer.ts'
import type { BodyBudget, BodySender } from './body-memory-budget.ts'
import { bufferBody, type Gathered } from './buffer-body.ts'

/** `no_room`: the door holds all the bytes it may, or may of this sender. `too_slow`: fewer bytes a second than the least. */
export type BodyRefusal = 'too_large' | 'no_room' | 'too_slow'

type Limits = {
  limit: number
  room: BodyBudget
  sender: BodySender
  /**
   * Of bodies that may be large: they are read by turns with all others, so that a storm of them leaves
   * time for the rest, and are dropped when they dribble. Small ones have the server's 15 s.
   */
  turns?: TimeSlicer
}

/**
 * Reads a body of at most `limit` bytes on the wire, with or without a `Content-Length`, and gives it to
 * `use`; what is not read is why. Nothing is read of one that finds no room, and reading stops at once
 * when there is none left. The room is free again when `use` ends.
 * @throws when the client breaks off.
 */
export async function withBody<Value>(
  request: IncomingMessage,
  limits: Limits,
  use: (body: Buffer | BodyRefusal) => Promise<Value>,
): Promise<Value> {
  const { room, sender, limit } = limits
  const length = request.headers['content-length']
  // Of a body in chunks nobody knows how large it is.
  const mostBytes = length === undefined ? limit : Number(length)
  if (mostBytes > limit) return use('too_large')
  const owner = { ...sender, isLarge: mostBytes > BODY_LIMITS.smallBytes }
  if (!room.isFree(Math.min(mostBytes, BODY_LIMITS.readAheadBytes), owner)) return use('no_room')
  let taken = 0
  const take = (bytes: number) => {
    if (!room.take(bytes, owner)) return false
    taken += bytes
    return true
  }
  try {
    return await use(await readBody(request, limits, bufferBody(mostBytes, take)))
  } finally {
    room.give(taken, owner)
  }
}

function readBody(
  request: IncomingMessage,
  { limit, turns }: Limits,
  body: Gathered,
): Promise<Buffer | BodyRefusal> {
  return new Promise((resolve, reject) => {
    let seconds = 0
    let sizeBefore = 0
    let isStopped = false
    const timer = turns ? setInterval(watch, SECOND_MS) : undefined
    function watch() {
      seconds += 1
      const came = body.size() - sizeBefore
      sizeBefore = body.size()
      if (seconds > BODY_LIMITS.slowSeconds && came < BODY_LIMITS.leastBytesPerSecond) {
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
      else if (turns) rest(turns, part.length)
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
