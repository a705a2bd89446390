/** Progress lines of a long command. */
export type Progress = {
  /** Reports a finished step. */
  step(line: string): void
  /** Reports progress, at most every few seconds. */
  now(line: string): void
}

const EVERY_MS = 3_000

/** Creates progress whose lines are printed by `print`. */
export function createProgress(print: (line: string) => void): Progress {
  let printedAt = performance.now()
  return {
    step(line) {
      printedAt = performance.now()
      print(line)
    },
    now(line) {
      if (performance.now() - printedAt < EVERY_MS) return
      printedAt = performance.now()
      print(`${line} …`)
    },
  }
}
