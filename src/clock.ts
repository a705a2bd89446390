/** Time is an argument: nothing in the house but this file asks the machine for it. */
export type Clock = { now(): Date }

/**
 * A clock that never runs backwards and keeps the database's time: `set` is told that time at the
 * start and again from time to time, so that a wrong clock on one node moves no due time.
 */
export function createClock(): Clock & { set(time: Date): void } {
  let baseMs = Date.now()
  let baseMark = performance.now()
  let lastMs = 0
  return {
    now() {
      lastMs = Math.max(lastMs, baseMs + (performance.now() - baseMark))
      return new Date(lastMs)
    },
    set(time) {
      baseMs = time.getTime()
      baseMark = performance.now()
      // A correction backwards slows the clock down instead of turning it back; but after a
      // correction of more than a minute the old time was simply wrong.
      if (lastMs - baseMs > 60_000) lastMs = baseMs
    },
  }
}
