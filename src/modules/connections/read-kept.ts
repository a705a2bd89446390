import type { KeptValues } from '../../schemas/call-request.ts'
import type { JsonValue } from '../../rules/text/json-text.ts'
import { countCodePoints, cutCodePoints } from '../../rules/text/json-text.ts'
import { readAt, readPathExpression } from '../../rules/hooks/path-expression.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'

type Answer = { json: unknown } | null

/**
 * The kept values of an answer as text, by name: null where the answer has nothing there, is not
 * JSON, or there is none. Spec: Calls › Answers.
 */
export function readKept(answer: Answer, keep: KeptValues): Record<string, string | null> {
  return Object.fromEntries(
    textsIn(answer, keep).map(([name, text]) => [
      name,
      text === '' ? null : cutCodePoints(text, RUN_LIMITS.variableChars),
    ]),
  )
}

/** How many characters the values have in an answer that are longer than is kept of one, by name. */
export function cutOfKept(answer: Answer, keep: KeptValues): Record<string, number> {
  return Object.fromEntries(
    textsIn(answer, keep)
      .map(([name, text]): [string, number] => [name, countCodePoints(text)])
      .filter(([, chars]) => chars > RUN_LIMITS.variableChars),
  )
}

function textsIn(answer: Answer, keep: KeptValues): [string, string][] {
  return keep.map(({ name, path }) => {
    const steps = readPathExpression(path)
    const isThere = answer !== null && steps.ok
    return [name, isThere ? readAt(answer.json as JsonValue, steps.value) : '']
  })
}
