import type { IncomingMessage } from 'node:http'
import { BODY_LIMITS, SECOND_MS } from '../limits.ts'
import type { Turns } from '../inbound/take-turns.ts'
import type { BodyRoom, BodySender } from './body-room.ts'

/** `no_room`: the door holds all the bytes it may, or may of this sender. `too_slow`: fewer bytes a second than the least. */
export type BodyRefusal = 'too_large' | 'no_room' | 'too_slow'

type Limits = {
  limit: number
  room: BodyRoom
  sender: BodySender
  /**
   * Of bodies that may be large: they are read by turns with all others, so that a storm of them leaves
   * time for the rest, and are dropped when they dribble. Small ones have the server's 15 s.
   */
  turns?: Turns
}

/**
 * Reads a body of at most `limit` bytes on the wire, with or without a `Content-Length`, and gives it to
 * `use`; what is not read is why. Reading stops at once then. The room is free again when `use` ends.
 * @throws when the client breaks off.
 */
export async function withBody<Value>(
  request: IncomingMessage,
  limits: Limits,
  use: (body: Buffer | BodyRefusal) => Promise<Value>,
): Promise<Value> {
  const { room, sender } = limits
  let taken = 0
  const take = (bytes: number) => {
    if (!room.take(bytes, sender)) return false
    taken += bytes
    return true
  }
  try {
    return await use(await readBody(request, limits, take))
  } finally {
    room.give(taken, sender)
  }
}

function readBody(
  request: IncomingMessage,
  { limit, turns }: Limits,
  take: (bytes: number) => boolean,
): Promise<Buffer | BodyRefusal> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.resolve('too_large')
  return new Promise((resolve, reject) => {
    // One buffer that grows: a body in chunks of one byte costs what any other of its size does.
    let held: Buffer = Buffer.alloc(0)
    let size = 0
    let seconds = 0
    let sizeBefore = 0
    let isStopped = false
    const timer = turns ? setInterval(watch, SECOND_MS) : undefined
    function watch() {
      seconds += 1
      const came = size - sizeBefore
      sizeBefore = size
      if (seconds > BODY_LIMITS.slowSeconds && came < BODY_LIMITS.leastBytesPerSecond) {
        stop('too_slow')
      }
    }
    function stop(why: BodyRefusal) {
      isStopped = true
      request.pause()
      request.removeAllListeners('data')
      clearInterval(timer)
      held = Buffer.alloc(0)
      resolve(why)
    }
    /** False when there is no room. */
    function hold(part: Buffer): boolean {
      if (size + part.length > held.length) {
        const capacity = Math.max(size + part.length, Math.min(2 * held.length, limit))
        if (!take(capacity - held.length)) return false
        if (size === 0) {
          held = part
          size = part.length
          return true
        }
        const larger = Buffer.allocUnsafe(capacity)
        held.copy(larger, 0, 0, size)
        held = larger
      }
      part.copy(held, size)
      size += part.length
      return true
    }
    request.on('data', (part: Buffer) => {
      if (size + part.length > limit) stop('too_large')
      else if (!hold(part)) stop('no_room')
      else if (turns) rest(turns, part.length)
    })
    function rest(others: Turns, bytes: number) {
      request.pause()
      void others.take(bytes).then(() => {
        if (!isStopped) request.resume()
      })
    }
    request.on('end', () => {
      clearInterval(timer)
      resolve(held.subarray(0, size))
    })
    request.on('error', reject)
    request.on('close', () => {
      clearInterval(timer)
      if (!request.complete) reject(new Error('the client broke off'))
    })
  })
}
