import type { IncomingMessage } from 'node:http'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { SECOND_MS } from '../core/limits/units.ts'
import type { TimeSlicer } from '../modules/inbound/time-slicer.ts'
import type { BodyBudget, BodySender } from './body-memory-budget.ts'
import { bufferBody, type BodyBuffer } from './buffer-body.ts'

/**
 * The reason to refuse a body. `no_memory` means that the memory budget, or its share for this sender, is used up.
 * `too_slow` means that the body arrives below the minimum rate.
 */
export type BodyRefusal = 'too_large' | 'no_memory' | 'too_slow'

type Limits = {
  limit: number
  budget: BodyBudget
  sender: BodySender
  /**
   * Time slices for bodies that may be large. They are read in turns, so that a burst of them leaves time for other work,
   * and dropped when they arrive too slowly. Small bodies have only the server's time limit of 15 s.
   */
  slicer?: TimeSlicer
}

/**
 * Reads a body of at most `limit` bytes, without decompressing it, and passes it, or the reason of a refusal, to `use`.
 * A `Content-Length` is optional. Reading does not start without a free budget, and stops when the budget is used up.
 * The memory is released when `use` ends.
 * @throws when the client disconnects.
 */
export async function withBody<Value>(
  request: IncomingMessage,
  limits: Limits,
  use: (body: Buffer | BodyRefusal) => Promise<Value>,
): Promise<Value> {
  const { budget, sender, limit } = limits
  const length = request.headers['content-length']
  // The size of a chunked body is unknown in advance.
  const maxBytes = length === undefined ? limit : Number(length)
  if (maxBytes > limit) return use('too_large')
  const owner = { ...sender, isLarge: maxBytes > BODY_LIMITS.smallBytes }
  if (!budget.isFree(Math.min(maxBytes, BODY_LIMITS.readAheadBytes), owner)) return use('no_memory')
  let taken = 0
  const take = (bytes: number) => {
    if (!budget.take(bytes, owner)) return false
    taken += bytes
    return true
  }
  try {
    return await use(await readBody(request, limits, bufferBody(maxBytes, take)))
  } finally {
    budget.give(taken, owner)
  }
}

function readBody(
  request: IncomingMessage,
  { limit, slicer }: Limits,
  body: BodyBuffer,
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
      else if (!body.add(part)) stop('no_memory')
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
      if (!request.complete) reject(new Error('the client disconnected'))
    })
  })
}
