import type { LocalizedProblem } from '../../../contract/dashboard/flow.ts'
import { stepAt, type Draft } from '../draft.ts'
import type { SayStep } from '../steps/step-kind.ts'

/** Returns the text of a problem with the names of step types in place of the steps' ids, which no screen shows. */
export function withStepNames(
  { params, text }: Pick<LocalizedProblem, 'params' | 'text'>,
  draft: Draft,
  say: SayStep,
): string {
  const { step: own, calls } = params as { step?: string; calls?: readonly string[] }
  return [...(calls ?? []), ...(own === undefined ? [] : [own])].reduce((named, id) => {
    const step = stepAt(draft, id)
    if (!step) return named
    // English texts quote an id, and Arabic ones also isolate it.
    return [`"${id}"`, `\u2068${id}\u2069`].reduce(
      (one, quoted) =>
        one.replaceAll(
          quoted,
          quoted.replace(id, () => say(step.kind)),
        ),
      named,
    )
  }, text)
}
