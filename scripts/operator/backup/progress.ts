/** Progress lines of a long command. */
export type Progress = {
  /** Reports a finished step. */
  step(line: string): void
  /** Reports progress, at most every few seconds. */
  now(line: string): void
}

const EVERY_MS = 3_000

export function createProgress(print: (line: string) => void): Progress {
  let toldAt = performance.now()
  return {
    step(line) {
      toldAt = performance.now()
      print(line)
    },
    now(line) {
      if (performance.now() - toldAt < EVERY_MS) return
      toldAt = performance.now()
      print(`${line} …`)
    },
  }
}
