/** Lines that show that a long command is at work. */
export type Tell = {
  /** Something has been done. */
  step(line: string): void
  /** Something is under way; told every few seconds at most. */
  now(line: string): void
}

const EVERY_MS = 3_000

export function createTell(print: (line: string) => void): Tell {
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
