import type { TryResult, TryPath, TryPhone } from '../../contract/dashboard/hook-url.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { pathRefusalFact } from '../../schemas/path-refusal-fact.ts'
import { fact } from '../../core/facts/fact.ts'
import { cleanText, readJson } from '../../rules/text/json-text.ts'
import { readAt, readPathExpression } from '../../rules/hooks/path-expression.ts'
import { readPhone } from '../../rules/messaging/phone-reading.ts'
import { bodyRefused } from './check-request.ts'

/** Returns what a path reads from a JSON body in a hook request, or why it reads nothing. Spec: Hooks › Path syntax. */
export function tryPath(
  { formatFact }: { formatFact: FormatFact },
  { json, path }: TryPath,
): TryResult {
  const body = readJson(json, { mustBeContainer: true })
  if (!body.ok) return { ok: false, reason: formatFact(bodyRefused(body.reason)) }
  const steps = readPathExpression(path)
  if (!steps.ok) return { ok: false, reason: formatFact(pathRefusalFact(steps.reason)) }
  return { ok: true, value: cleanText(readAt(body.value, steps.value)) }
}

/** Returns the E.164 number that a hook request reads from a text, or why it cannot. Spec: Hooks › Phone reading. */
export function tryPhone(
  { formatFact }: { formatFact: FormatFact },
  { value, country }: TryPhone,
): TryResult {
  const phone = readPhone(value, country)
  return phone.ok ? phone : { ok: false, reason: formatFact(fact('phone_unreadable')) }
}
