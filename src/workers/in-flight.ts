/** What one process has under way, each with what it is about. */
export type UnderWay<About> = {
  /** Follows work until it ends. `work` never rejects. */
  follow(work: Promise<void>, about: About): void
  count(): number
  /** Returns what the work that is under way is about. */
  all(): About[]
  /** Resolves when nothing is under way. */
  drain(): Promise<void>
}

/** @param onEnd is told of each end. */
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
