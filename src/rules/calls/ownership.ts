import type { JsonValue } from '../text/json-text.ts'
import { findAt, readPathExpression } from '../hooks/path-expression.ts'
import { readPhone } from '../messaging/phone-reading.ts'

/** The customer's value that an answer must hold. */
export type Owner = { kind: 'phone' | 'email' | 'contact_id'; value: string }

/**
 * Whether the answer's value at `path` is the customer's. A phone is read first, and only with its
 * country code, for a number without one is not surely theirs; an e-mail is compared without letter
 * case, an id exactly. Missing, null, an object or a list is never equal. `json` undefined: the answer
 * was not JSON. Spec: Calls › AI actions; reading C10.
 */
export function isOwner(json: JsonValue | undefined, path: string, owner: Owner): boolean {
  const steps = readPathExpression(path)
  if (json === undefined || !steps.ok) return false
  const found = findAt(json, steps.value)
  if (typeof found !== 'string' && typeof found !== 'number' && typeof found !== 'bigint') {
    return false
  }
  const text = String(found)
  switch (owner.kind) {
    case 'phone': {
      const phone = readPhone(text, '')
      return phone.ok && phone.value === owner.value
    }
    case 'email':
      return text.toLowerCase() === owner.value.toLowerCase()
    case 'contact_id':
      return text === owner.value
  }
}
