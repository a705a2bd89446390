import type { Tried, TryPath, TryPhone } from '../contract/dashboard/hook-url.ts'
import { PATH_REFUSED } from '../contract/path-refused.ts'
import { cleanText, readJson, type JsonRefusal } from '../rules/json-text.ts'
import { readAt, readPathExpression } from '../rules/path-expression.ts'
import { readPhone } from '../rules/phone-reading.ts'

const NOT_READ: Record<JsonRefusal, string> = {
  not_utf8: 'The body is not UTF-8.',
  not_json: 'The body is not JSON.',
  not_a_container: 'The body must be a JSON object or array.',
}

/** Reads a path in a body as a hook request does. Spec: Hooks › Path syntax. */
export function tryPath({ json, path }: TryPath): Tried {
  const body = readJson(json, { mustBeContainer: true })
  if (!body.ok) return { ok: false, reason: body.reason, message: NOT_READ[body.reason] }
  const steps = readPathExpression(path)
  if (!steps.ok) {
    const message = `The path ${PATH_REFUSED[steps.reason]}.`
    return { ok: false, reason: steps.reason, message }
  }
  return { ok: true, value: cleanText(readAt(body.value, steps.value)) }
}

/** Reads a phone number as a hook request does. Spec: Hooks › Phone reading. */
export function tryPhone({ value, country }: TryPhone): Tried {
  const phone = readPhone(value, country)
  if (phone.ok) return phone
  return {
    ok: false,
    reason: phone.reason,
    message:
      'This is not read as a phone number; write it with its country code, such as +966501234567.',
  }
}
