import { z } from 'zod'
import { contactFieldKey } from '../../contract/flow-names.ts'
import { fact } from '../../facts/fact.ts'
import { editContact } from './edit-contact.ts'
import { filledText, nextStep, stepFault, variablesIn, type StepDesign } from './step-design.ts'

const schema = z.object({
  kind: z.literal('set_field'),
  key: contactFieldKey,
  /** Filled in and empty, it takes the value away. */
  text: filledText,
  next: nextStep,
})

/** Sets a custom field of the customer. Spec: Flows › Steps; reading F35. */
export const SET_FIELD = {
  schema,
  exits: ({ next }) => ({ next }),
  reads: ({ text }) => variablesIn([text]),
  enter: ({ key, text, next }, walk) =>
    editContact(walk, next, { fields: { [key]: walk.fill(text).trim() || null } }),
  faults: ({ key }, { fieldKeys }) =>
    fieldKeys.includes(key)
      ? []
      : [stepFault('key', 'field_exists', fact('field_exists', { key }))],
} satisfies StepDesign<z.infer<typeof schema>>
