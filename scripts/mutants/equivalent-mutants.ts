/** Breaks that change nothing anybody could see, each with the reason: they are not tried. */
import type { Mutant } from './find-mutants.ts'

type Equivalent = { file: string; from: string; to: string; why: string }

const EQUIVALENT: Equivalent[] = [
  {
    file: 'src/rules/action-arguments.ts',
    from: ' ?? null',
    to: '',
    why: 'a value that was not read makes a problem, and then no value is given back',
  },
  {
    file: 'src/rules/attempt-hint.ts',
    from: '0',
    to: '1',
    why: 'an attempt with http_error always has a status',
  },
  {
    file: 'src/rules/idempotency-key.ts',
    from: '<',
    to: '<=',
    why: 'past the end of the text there is no space to drop',
  },
]

export function isEquivalent(mutant: Mutant, text: string): boolean {
  const from = text.slice(mutant.start, mutant.end)
  return EQUIVALENT.some(
    (known) => known.file === mutant.file && known.from === from && known.to === mutant.to,
  )
}
