/** Counts the work in progress. */
export type Activity = {
  /** Begins an activity, which lasts until the returned function is called. */
  begin: () => () => void
  /** Resolves as soon as no activity is left. */
  idle: () => Promise<void>
}

/** Creates a counter of activities, so that a test can wait for their end instead of for a time. */
export function createActivity(): Activity {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      count += 1
      let isOver = false
      return () => {
        if (isOver) {
          return
        }
        isOver = true
        count -= 1
        if (count === 0) {
          const resolved = waiting
          waiting = []
          for (const resolve of resolved) {
            resolve()
          }
        }
      }
    },
    idle: () =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(() => resolve())),
  }
}
