/**
 * Time-outs that the test ends. A test of a request without a response would otherwise wait in real time, and
 * the speed of the machine would decide whether the request arrives before its time-out.
 */
import { vi } from 'vitest'

/**
 * Holds every timer of this process that waits between `minMs` and `ms`. At least half of `ms` is left of a
 * time-out when its request is sent. Other timers, those of the database pool among them, run as always.
 */
export function holdTimers(ms: number, minMs = ms / 2) {
  if (vi.isMockFunction(globalThis.setTimeout)) throw new Error('timers are held already')
  const [start, clear] = [globalThis.setTimeout, globalThis.clearTimeout]
  const held = new Map<unknown, { run: () => void; endsMs: number; hasEnded: boolean }>()
  const hold = (run: (...given: unknown[]) => void, waitMs = 0, ...given: unknown[]) => {
    if (waitMs < minMs || waitMs > ms) return start(run, waitMs, ...given)
    const timer: unknown = start(() => {
      const found = held.get(timer)
      if (found === undefined) run(...given)
      else found.hasEnded = true
    }, waitMs)
    const endsMs = performance.now() + waitMs
    held.set(timer, { run: () => run(...given), endsMs, hasEnded: false })
    return timer
  }
  const set = vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout)
  const unset = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer)
    clear(timer)
  })
  return {
    count: () => held.size,
    /** Runs the held timers now, in the order in which they would have ended. Returns how many there were. */
    elapse() {
      const due = [...held.values()].toSorted((one, other) => one.endsMs - other.endsMs)
      for (const timer of held.keys()) clear(timer as NodeJS.Timeout)
      held.clear()
      for (const { run } of due) run()
      return due.length
    },
    /**
     * Makes `setTimeout` the real one again. Timers that are still held end at their usual time, or now when
     * that has passed.
     */
    release() {
      set.mockRestore()
      unset.mockRestore()
      const ended = [...held.values()].filter(({ hasEnded }) => hasEnded)
      held.clear()
      for (const { run } of ended) run()
    },
  }
}

export type HeldTimers = ReturnType<typeof holdTimers>
