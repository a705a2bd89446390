/** The work in progress of one process, with the subject of each piece. */
export type UnderWay<About> = {
  /** Follows work until it ends. `work` never rejects. */
  follow(work: Promise<void>, about: About): void
  count(): number
  /** Returns the subjects of the work in progress. */
  all(): About[]
  /** Resolves when no work is in progress. */
  drain(): Promise<void>
}

/**
 * Creates an empty set of the work that this process has in progress.
 * @param onEnd runs after each end.
 */
export function createUnderWay<About = null>(onEnd: () => void = () => {}): UnderWay<About> {
  const underWay = new Map<Promise<void>, About>()
  return {
    follow(work, about) {
      const followed: Promise<void> = work.finally(() => {
        underWay.delete(followed)
        onEnd()
      })
      underWay.set(followed, about)
    },
    count: () => underWay.size,
    all: () => [...underWay.values()],
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay.keys())
    },
  }
}
