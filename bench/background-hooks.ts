/** Hooks of a busy shop at an even rate, concurrently with another measurement. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { postHook, ORDER } from '../test/support/post-hook.ts'
import type { NotedTimes } from './note-hook-times.ts'
import type { TestReceiver } from '../test/support/receiver.ts'

const DRAIN_MS = 2_000

/**
 * Answered hooks and received deliveries a second. `p95Ms` and `p99Ms` are percentiles of the hooks' times at the
 * client. `own` has them as the service saw them, and its load, if recorded.
 */
export type BackgroundHooks = {
  hooks: number
  deliveries: number
  p95Ms: number
  p99Ms: number
  own?: { p95Ms: number; p99Ms: number; busy: number }
}

/**
 * Returns a function that sends hooks for a time at a fixed rate, each from another customer and address.
 *
 * @param timesFile that `note-hook-times.ts` writes.
 */
export function createBackgroundHooks(
  hookUrl: string,
  receiver: TestReceiver,
  aSecond: number,
  timesFile?: string,
) {
  let orders = 0
  return async function ask(forMs: number): Promise<BackgroundHooks> {
    const began = performance.now()
    const begunAt = Date.now()
    const before = receiver.received.length
    const took: number[] = []
    const asking: Promise<void>[] = []
    for (let nth = 0; nth < (forMs * aSecond) / 1_000; nth += 1) {
      // The rate follows the clock and not the previous request, so that late timers are compensated.
      const early = began + (nth * 1_000) / aSecond - performance.now()
      if (early > 1) await pause(early)
      orders += 1
      const phone = `+96655${String(2_000_001 + orders * 10)}`
      const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
      const from = { 'x-forwarded-for': `198.18.${(orders >> 6) & 255}.${orders & 63}` }
      const at = performance.now()
      asking.push(
        postHook(hookUrl, order, from).then((answer) => {
          // A refusal would be the bench's own mistake, and look like a slow service.
          if (answer.http !== 202) throw new Error(`a hook was answered ${JSON.stringify(answer)}`)
          took.push(performance.now() - at)
        }),
      )
    }
    await Promise.all(asking)
    const seconds = Math.max(forMs, performance.now() - began) / 1_000
    const endedAt = Date.now()
    await pause(DRAIN_MS)
    return {
      hooks: took.length / seconds,
      deliveries: (receiver.received.length - before) / seconds,
      p95Ms: percentileOf(took, 0.95),
      p99Ms: percentileOf(took, 0.99),
      ...(timesFile && { own: ownTimes(timesFile, begunAt, endedAt) }),
    }
  }
}

function ownTimes(file: string, begunAt: number, endedAt: number) {
  const { hooks, busy } = JSON.parse(readFileSync(file, 'utf8')) as NotedTimes
  const meanwhile = (noted: [number, number][]) =>
    noted.filter(([at]) => at >= begunAt && at <= endedAt).map(([, value]) => value)
  const took = meanwhile(hooks)
  return {
    p95Ms: percentileOf(took, 0.95),
    p99Ms: percentileOf(took, 0.99),
    busy: percentileOf(meanwhile(busy), 0.5),
  }
}

/** Returns the percentile of the values at `share`, from 0 to 1. */
function percentileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}
