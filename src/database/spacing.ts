/**
 * Room between the batches of a desk that is at work on much: while items come one after another, a
 * batch begins no sooner than a moment after the one before, so that it is a batch. Where little comes
 * nobody waits.
 */
const LEAST_SPACE_MS = 20
const MOST_SPACE_MS = 50
/** Much: so many items within one or the other of the last two of these. */
const WINDOW_MS = 200
const MANY_IN_WINDOW = 8

export type Spacing = {
  /** An item has come. */
  came(): void
  /** How long the next batch has to wait yet. */
  waitMs(): number
  began(): void
  /** A batch has ended: what takes long is done less often. */
  ended(): void
}

/** @param nowMs of a clock that never goes back. */
export function createSpacing(nowMs: () => number = () => performance.now()): Spacing {
  let window = 0
  let inWindow = 0
  let inLast = 0
  let begunAtMs = -Infinity
  let spaceMs = LEAST_SPACE_MS

  function turnWindow() {
    const current = Math.floor(nowMs() / WINDOW_MS)
    if (current === window) return
    inLast = current === window + 1 ? inWindow : 0
    inWindow = 0
    window = current
  }

  return {
    came() {
      turnWindow()
      inWindow += 1
    },
    waitMs() {
      turnWindow()
      if (Math.max(inWindow, inLast) < MANY_IN_WINDOW) return 0
      return Math.max(0, begunAtMs + spaceMs - nowMs())
    },
    began() {
      begunAtMs = nowMs()
    },
    ended() {
      const tookMs = nowMs() - begunAtMs
      spaceMs = Math.min(Math.max(2 * tookMs, LEAST_SPACE_MS), MOST_SPACE_MS)
    },
  }
}
