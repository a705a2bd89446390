import { fact, type Fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import type { ContactFieldKind } from '../../core/vocabulary/contacts.ts'
import { foldText } from '../text/fold-text.ts'
import { countCodePoints } from '../text/json-text.ts'
import { withLatinSigns } from '../text/latin-digits.ts'

/** The result of reading a value: its stored form, or the fact that explains the refusal. */
export type ReadValue = { ok: true; value: string } | { ok: false; reason: Fact }

/** The type of a custom field, with its choices. */
export type FieldDesign = { kind: ContactFieldKind; choices: readonly string[] }

const YES = new Set(['yes', 'true', '1', 'نعم'].map(foldText))
const NO = new Set(['no', 'false', '0', 'لا'].map(foldText))

/**
 * Converts the text of a custom field to the form in which its value is stored, or returns why it is invalid. A number
 * gets Latin digits and signs, a date is YYYY-MM-DD, a choice is spelled as in the field; yes and no become `yes` and
 * `no`; any other text stays. Pure.
 *
 * Spec: Contacts › Fields.
 */
export function readFieldValue(text: string, { kind, choices }: FieldDesign): ReadValue {
  const value = text.trim()
  const count = countCodePoints(value)
  const max = CONTACT_LIMITS.fieldValueChars
  if (count > max) return refuse(fact('too_long', { min: 1, max, count }))
  const folded = foldText(value)
  switch (kind) {
    case 'text':
      return accept(value)
    case 'number': {
      // A comma is refused, because it separates thousands for some people and a fraction for others.
      const number = withLatinSigns(folded)
      return /^[+-]?\d+(\.\d+)?$/.test(number)
        ? accept(number.replace(/^\+/, ''))
        : refuse(fact('field_not_number'))
    }
    case 'date':
      return isDate(folded) ? accept(folded) : refuse(fact('field_not_date'))
    case 'yes_no':
      if (YES.has(folded)) return accept('yes')
      return NO.has(folded)
        ? accept('no')
        : refuse(fact('not_a_choice', { choices: ['yes', 'no'] }))
    case 'choice': {
      const choice = choices.find((one) => foldText(one) === folded)
      return choice === undefined
        ? refuse(fact('not_a_choice', { choices: [...choices] }))
        : accept(choice)
    }
  }
}

const accept = (value: string): ReadValue => ({ ok: true, value })
const refuse = (reason: Fact): ReadValue => ({ ok: false, reason })

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}
