import { z } from 'zod'
import { contactFieldKey } from '../../schemas/flow-names.ts'
import { fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { readFieldValue, type FieldDesign } from '../../rules/contacts/field-value.ts'
import { plainDecimal } from '../../rules/text/decimal.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { contactEdit } from './edit-contact.ts'
import { filledText, nextStep, stepIssue, variablesIn, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('set_field'),
  key: contactFieldKey,
  /** The text of the value; an empty result clears the field. */
  text: filledText,
  next: nextStep,
})

/**
 * The step that sets a custom field of the customer to the text, converted to the field's kind. An invalid value leaves
 * the field unchanged. Spec: Flows › Steps; reading F35.
 */
export const SET_FIELD = {
  schema,
  exits: ({ next }) => ({ next }),
  reads: ({ text }) => variablesIn([text]),
  setsField: ({ key }) => key,
  enter({ key, text, next }, walk) {
    const filled = cleanText(walk.fill(text)).trim()
    const value = filled === '' ? null : valueOf(filled, walk.around.fields.get(key))
    if (value === undefined && walk.contact) {
      return { kind: 'go_on', to: next, detail: fact('field_not_set', { key }), hasFailed: true }
    }
    return contactEdit(walk, next, { fields: { [key]: value ?? null } })
  },
  issues: ({ key }, { fieldKeys }) =>
    fieldKeys.includes(key)
      ? []
      : [stepIssue('key', 'field_exists', fact('field_exists', { key }))],
} satisfies StepDefinition<z.infer<typeof schema>>

/** Returns the value in its stored form, cut to the field's limit; undefined when the field does not accept it. */
function valueOf(filled: string, design: FieldDesign | undefined): string | undefined {
  if (!design) return undefined
  const read = readFieldValue(textFor(filled, design), design)
  return read.ok ? read.value : undefined
}

/**
 * Returns the text for a field. A number with an exponent is written out, because people write none and the field
 * accepts none.
 */
function textFor(filled: string, { kind }: FieldDesign): string {
  if (kind === 'text') return cutCodePoints(filled, CONTACT_LIMITS.fieldValueChars)
  return kind === 'number' && /\de/i.test(filled) ? (plainDecimal(filled) ?? filled) : filled
}
