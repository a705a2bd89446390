import type { KeptValues } from '../../schemas/call-request.ts'
import type { JsonValue } from '../../rules/text/json-text.ts'
import { countCodePoints, cutCodePoints } from '../../rules/text/json-text.ts'
import { readAt, readPathExpression } from '../../rules/hooks/path-expression.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'

type Answer = { json: unknown } | null

/**
 * Returns the values to save from a response as text, by name; null where the response has none or is not JSON. Longer
 * texts are cut to the limit of a variable. Spec: Calls › Answers.
 */
export function valuesToSave(answer: Answer, keep: KeptValues): Record<string, string | null> {
  return Object.fromEntries(
    textsIn(answer, keep).map(([name, text]) => [
      name,
      text === '' ? null : cutCodePoints(text, RUN_LIMITS.variableChars),
    ]),
  )
}

/** Returns the full length, in characters, of each value that `valuesToSave` cut, by name. */
export function lengthsOfCutValues(answer: Answer, keep: KeptValues): Record<string, number> {
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
