/** Runs a generator to its end without pauses, and returns its result. */
export function walkAtOnce<Result>(walk: Generator<number, Result, void>): Result {
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
  }
}
