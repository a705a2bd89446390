/**
 * Time-outs that the test ends. A request that nobody answers would otherwise be waited for by real time, and
 * whether it is reached before its time-out would depend on the speed of the machine.
 */
import { vi } from 'vitest'

export type HeldTimers = {
  /** How many are held now. */
  count(): number
  /** Runs the held timers now, in the order in which they would have ended. Returns how many there were. */
  elapse(): number
  /** Makes `setTimeout` the real one again. Timers that are still held never run. */
  release(): void
}

/**
 * Holds every timer of this process that waits between `leastMs` and `ms`. Half of `ms` is surely left of a time-out
 * when its request is sent. Other timers, those of the database pool among them, run as always.
 */
export function holdTimers(ms: number, leastMs = ms / 2): HeldTimers {
  if (vi.isMockFunction(globalThis.setTimeout)) throw new Error('timers are held already')
  const [start, clear] = [globalThis.setTimeout, globalThis.clearTimeout]
  const held = new Map<unknown, { run: () => void; endsMs: number }>()
  const hold = (run: (...given: unknown[]) => void, waitMs = 0, ...given: unknown[]) => {
    if (waitMs < leastMs || waitMs > ms) return start(run, waitMs, ...given)
    // A real timer, as the caller may call its methods. It ends after every test.
    const timer = start(() => {}, 600_000).unref()
    held.set(timer, { run: () => run(...given), endsMs: performance.now() + waitMs })
    return timer
  }
  const set = vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout)
  const unset = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer)
    clear(timer as NodeJS.Timeout)
  })
  const drop = () => {
    for (const timer of held.keys()) clear(timer as NodeJS.Timeout)
    held.clear()
  }
  return {
    count: () => held.size,
    elapse() {
      const due = [...held.values()].toSorted((a, b) => a.endsMs - b.endsMs)
      drop()
      for (const { run } of due) run()
      return due.length
    },
    release() {
      drop()
      set.mockRestore()
      unset.mockRestore()
    },
  }
}
