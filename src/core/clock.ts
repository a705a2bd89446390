/** Time is an argument: nothing in the house but this file asks the machine for it. */
export type Clock = { now(): Date }

/** Further apart than this, the machine's date and its elapsed time were not told by one clock. */
const ASTRAY_MS = 2_000
const SET_EVERY_MS = 5 * 60_000
const LOOK_EVERY_MS = 1_000

export type KeptClock = Clock & {
  /** Returns by how many milliseconds that time differs from what the clock would have told; 0 where it was astray. */
  set(time: Date): number
  /** The machine slept since it was set, which its elapsed time does not tell of; or somebody set its date. */
  isAstray(): boolean
}

/**
 * A clock that never runs backwards and keeps the database's time: `set` is told that time at the
 * start and again from time to time, so that a wrong clock on one node moves no due time.
 */
export function createClock(): KeptClock {
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
      const toldMs = baseMs + (performance.now() - baseMark)
      const byMs = isAstray() ? 0 : time.getTime() - toldMs
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
 * Has a clock set every five minutes, and as soon as it is astray: a machine that slept for longer than that would
 * sign with a time that every receiver refuses. What fails is done again. Returns what ends it.
 */
export function keepTime(
  clock: Partial<Pick<KeptClock, 'isAstray'>>,
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
      // The database is away: who works with it says so.
    } finally {
      isSetting = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
