/** A source of the current time, passed as an argument: only this file reads the machine's clock. */
export type Clock = { now(): Date }

/** Largest difference between the machine's date and its elapsed time that counts as the same clock. */
const ASTRAY_MS = 2_000
const SET_EVERY_MS = 5 * 60_000
const LOOK_EVERY_MS = 1_000

/** A clock that is set to the database's time. */
export type SyncedClock = Clock & {
  /** Sets the clock and returns the correction in ms, or 0 when the clock was astray before. */
  set(time: Date): number
  /** Returns whether the machine slept or its date was changed since the last `set`. */
  isAstray(): boolean
}

/**
 * Creates a clock that never runs backwards and follows the database's time.
 *
 * `set` receives that time at the start and again regularly, so that a wrong clock on one node moves no due time.
 */
export function createClock(): SyncedClock {
  let baseMs = Date.now()
  let baseMark = performance.now()
  let machineMs = baseMs
  let lastMs = 0
  return {
    now() {
      lastMs = Math.max(lastMs, baseMs + (performance.now() - baseMark))
      return new Date(lastMs)
    },
    set(time) {
      const reportedMs = baseMs + (performance.now() - baseMark)
      const byMs = isAstray() ? 0 : time.getTime() - reportedMs
      baseMs = time.getTime()
      baseMark = performance.now()
      machineMs = Date.now()
      // A correction backwards slows the clock down instead of turning it back; but after a
      // correction of more than a minute the old time was simply wrong.
      if (lastMs - baseMs > 60_000) lastMs = baseMs
      return byMs
    },
    isAstray,
  }

  function isAstray(): boolean {
    const apartMs = Date.now() - machineMs - (performance.now() - baseMark)
    return Math.abs(apartMs) > ASTRAY_MS
  }
}

/**
 * Starts a timer that calls `set` every five minutes, and within a second when the clock is astray. A machine that
 * slept would otherwise sign with a time that every receiver refuses. A failed `set` is repeated. Returns a function
 * that stops the timer.
 */
export function startClockSync(
  clock: Partial<Pick<SyncedClock, 'isAstray'>>,
  set: () => Promise<void>,
): () => void {
  let setAtMark = performance.now()
  let isSetting = false
  async function look() {
    const isDue = performance.now() - setAtMark >= SET_EVERY_MS
    if (isSetting || !(isDue || clock.isAstray?.())) return
    isSetting = true
    try {
      await set()
      setAtMark = performance.now()
    } catch {
      // The database is unavailable, which its other users report.
    } finally {
      isSetting = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
