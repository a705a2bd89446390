import type { Activity } from './activity.ts'

/** A set of timers that can be stopped together. */
export type Timers = {
  /** Runs the function after `ms`, unless all timers are stopped before. Until then an activity lasts. */
  after: (ms: number, run: () => void) => void
  stop: () => void
}

/** Creates a set of timers that can be stopped together, and whose pending work tests can wait for. */
export function createTimers(activity: Activity, onError: (error: unknown) => void): Timers {
  const pending = new Map<NodeJS.Timeout, () => void>()
  return {
    after(ms, run) {
      const end = activity.begin()
      const timer = setTimeout(() => {
        pending.delete(timer)
        try {
          run()
        } catch (error) {
          onError(error)
        } finally {
          end()
        }
      }, ms)
      pending.set(timer, end)
    },
    stop() {
      for (const [timer, end] of pending) {
        clearTimeout(timer)
        end()
      }
      pending.clear()
    },
  }
}
