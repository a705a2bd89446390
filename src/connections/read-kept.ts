import type { KeptValues } from '../contract/call-request.ts'
import type { JsonValue } from '../rules/text/json-text.ts'
import { cutCodePoints } from '../rules/text/json-text.ts'
import { readAt, readPathExpression } from '../rules/hooks/path-expression.ts'
import { RUN_LIMITS } from '../limits/flows.ts'

/**
 * The kept values of an answer as text, by name: null where the answer has nothing there, is not
 * JSON, or there is none. Spec: Calls › Answers.
 */
export function readKept(
  answer: { json: unknown } | null,
  keep: KeptValues,
): Record<string, string | null> {
  return Object.fromEntries(
    keep.map(({ name, path }) => {
      const steps = readPathExpression(path)
      if (answer === null || !steps.ok) return [name, null]
      const text = readAt(answer.json as JsonValue, steps.value)
      return [name, text === '' ? null : cutCodePoints(text, RUN_LIMITS.variableChars)]
    }),
  )
}
