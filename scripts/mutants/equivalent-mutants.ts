/** Breaks that change nothing anybody could see, each with the reason: they are not tried. */
import type { Mutant } from './find-mutants.ts'

type Equivalent = { file: string; from: string; to: string; why: string }

const EQUIVALENT: Equivalent[] = []

export function isEquivalent(mutant: Mutant, text: string): boolean {
  const from = text.slice(mutant.start, mutant.end)
  return EQUIVALENT.some(
    (known) => known.file === mutant.file && known.from === from && known.to === mutant.to,
  )
}
