/** Walks to the end of what goes by steps, and gives what it comes to. */
export function walkAtOnce<Result>(walk: Generator<number, Result, void>): Result {
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
  }
}
