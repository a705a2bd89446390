/** Creates a clock that moves only when a test moves it. */
export function createMovedClock(start = '2026-11-21T09:00:00.000Z') {
  let ms = Date.parse(start)
  return {
    now: () => new Date(ms),
    advance(byMs: number) {
      ms += byMs
    },
    moveTo(time: string) {
      ms = Date.parse(time)
    },
  }
}
export type MovedClock = ReturnType<typeof createMovedClock>
