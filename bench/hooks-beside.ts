/** Hooks that a busy shop sends at an even pace, beside whatever else is measured. */
import { setTimeout as pause } from 'node:timers/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { appendFileSync } from 'node:fs'
import { askHook, ORDER } from '../test/support/ask-hook.ts'
import type { TestReceiver } from '../test/support/receiver.ts'

const DRAIN_MS = 2_000

/** Answered hooks and received deliveries a second; within which time 95 and 99 of a hundred hooks were answered, in ms. */
export type Beside = { hooks: number; deliveries: number; p95Ms: number; p99Ms: number }

/** Returns what asks for so long, so many a second, each from another customer at another address. */
export function createHooksBeside(hookUrl: string, receiver: TestReceiver, aSecond: number) {
  let orders = 0
  return async function ask(forMs: number): Promise<Beside> {
    const began = performance.now()
    const h = monitorEventLoopDelay({ resolution: 1 }); h.enable(); const u0 = performance.eventLoopUtilization(); const from0 = Date.now(); const each: number[][] = []
    const before = receiver.received.length
    const took: number[] = []
    const asking: Promise<void>[] = []
    for (let nth = 0; nth < (forMs * aSecond) / 1_000; nth += 1) {
      // By the clock and not by the one before: what a late timer loses is made up for.
      const early = began + (nth * 1_000) / aSecond - performance.now()
      if (early > 1) await pause(early)
      orders += 1
      const phone = `+96655${String(2_000_001 + orders * 10)}`
      const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
      const from = { 'x-forwarded-for': `198.18.${(orders >> 6) & 255}.${orders & 63}` }
      const at = performance.now()
      asking.push(
        askHook(hookUrl, order, from).then((answer) => {
          // A refusal would be the bench's own fault, and look like a service that is slow.
          if (answer.http !== 202) throw new Error(`a hook was answered ${JSON.stringify(answer)}`)
          took.push(performance.now() - at); each.push([Date.now(), performance.now() - at])
        }),
      )
    }
    await Promise.all(asking)
    const seconds = Math.max(forMs, performance.now() - began) / 1_000
    if (process.env.PROBE_OUT) appendFileSync(process.env.PROBE_OUT, JSON.stringify({ from: from0, to: Date.now(), loop: [h.percentile(50)/1e6, h.percentile(99)/1e6, h.max/1e6], u: performance.eventLoopUtilization(u0).utilization, each })+'\n')
    await pause(DRAIN_MS)
    const sorted = took.toSorted((a, b) => a - b)
    const within = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
    return {
      hooks: took.length / seconds,
      deliveries: (receiver.received.length - before) / seconds,
      p95Ms: within(0.95),
      p99Ms: within(0.99),
    }
  }
}
