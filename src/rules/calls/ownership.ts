import { JsonNumber } from '../text/json-number.ts'
import type { JsonValue } from '../text/json-text.ts'
import { findAt, phoneText, readPathExpression } from '../hooks/path-expression.ts'
import { numberKey } from '../identity/number-key.ts'
import { bareNumber, readPhone } from '../messaging/phone-reading.ts'

/** An identifier of the customer, which a response about them must contain. */
export type CustomerValue = { kind: 'phone' | 'email' | 'contact_id'; value: string }

/** A number with fewer digits and no prefix may lack its country code. */
const MIN_DIGITS_WITH_COUNTRY_CODE = 12

/**
 * Returns whether the response's value at `path` is the customer's. A phone counts only with its country code; two
 * notations of one line are equal, and an unreadable one is compared by digits. An e-mail is compared without letter
 * case, an id exactly. A missing value, null, an object or a list is never equal, nor is an undefined `json` (no JSON
 * response).
 * Spec: Calls › AI actions; reading C10.
 */
export function isCustomersValue(
  json: JsonValue | undefined,
  path: string,
  owner: CustomerValue,
): boolean {
  const steps = readPathExpression(path)
  if (json === undefined || !steps.ok) return false
  const found = findAt(json, steps.value)
  if (typeof found !== 'string' && typeof found !== 'number' && !(found instanceof JsonNumber)) {
    return false
  }
  const text = found instanceof JsonNumber ? found.text : String(found)
  switch (owner.kind) {
    case 'phone': {
      const written = found instanceof JsonNumber ? phoneText(found) : text
      const phone = readPhone(written, '')
      return phone.ok ? isSameLine(phone.value, owner.value) : isSameNumber(written, owner.value)
    }
    case 'email':
      return text.toLowerCase() === owner.value.toLowerCase()
    case 'contact_id':
      return text === owner.value
  }
}

const isSameLine = (one: string, other: string) =>
  numberKey(one.slice(1)) === numberKey(other.slice(1))

/** Returns whether a number outside of all numbering plans is written with the same digits. */
function isSameNumber(text: string, number: string): boolean {
  const bare = bareNumber(text)
  if (bare === null) return false
  const digits = bare.replace(/^(\+|00)/, '')
  const isWhole = digits !== bare || digits.length >= MIN_DIGITS_WITH_COUNTRY_CODE
  return isWhole && number === `+${digits}`
}
