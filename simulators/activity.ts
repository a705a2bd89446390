export type Activity = {
  /** Something is under way until the function given back is called. */
  begin: () => () => void
  /** Resolves as soon as nothing is under way. */
  idle: () => Promise<void>
}

/** Counts what is under way, so that a test can wait for the end of it instead of for time. */
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
