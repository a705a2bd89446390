import { JsonNumber } from '../text/json-number.ts'
import type { JsonValue } from '../text/json-text.ts'
import { findAt, phoneText, readPathExpression } from '../hooks/path-expression.ts'
import { numberKey } from '../identity/number-key.ts'
import { bareNumber, readPhone } from '../messaging/phone-reading.ts'

/** The customer's value that an answer must hold. */
export type Owner = { kind: 'phone' | 'email' | 'contact_id'; value: string }

/** With fewer digits and no prefix it may well be a number without its country code. */
const LEAST_WITH_COUNTRY_CODE = 12

/**
 * Whether the answer's value at `path` is the customer's. A phone is read first, and only with its
 * country code, for a number without one is not surely theirs; two forms of one line are equal. One that
 * cannot be read is compared digit by digit. An e-mail is compared without letter case, an id exactly. Missing, null, an object
 * or a list is never equal. `json` undefined: the answer was not JSON.
 * Spec: Calls › AI actions; reading C10.
 */
export function isOwner(json: JsonValue | undefined, path: string, owner: Owner): boolean {
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

/** Returns whether a number that no numbering plan has is written with the same digits. */
function isSameNumber(text: string, number: string): boolean {
  const bare = bareNumber(text)
  if (bare === null) return false
  const digits = bare.replace(/^(\+|00)/, '')
  const isWhole = digits !== bare || digits.length >= LEAST_WITH_COUNTRY_CODE
  return isWhole && number === `+${digits}`
}
