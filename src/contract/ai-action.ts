/** What an AI action is made of, as it is stored. Spec: Calls › AI actions. */
import { z } from 'zod'
import { fact } from '../facts/fact.ts'
import { ACTION_LIMITS } from '../limits/calls.ts'
import { ACTION_IDENTITIES } from '../vocabulary/calls.ts'
import { breaks, ruleOf } from './broken-rule.ts'
import { CallRequest } from './call-request.ts'
import { formText } from './dashboard/text.ts'
import { valuePath } from './flow-names.ts'

const described = {
  name: z
    .string()
    .max(ACTION_LIMITS.parameterNameChars)
    .regex(/^[a-z][a-z0-9_]*$/, ruleOf('wrong_tool_name')),
  /** The assistant reads it, and asks the customer by it. */
  description: formText(1, ACTION_LIMITS.parameterDescriptionChars),
  isRequired: z.boolean(),
}

export const ActionParameter = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('string'), ...described }),
  z.strictObject({ type: z.literal('number'), ...described }),
  z.strictObject({ type: z.literal('yes_no'), ...described }),
  z.strictObject({
    type: z.literal('one_of'),
    ...described,
    values: z
      .array(formText(1, ACTION_LIMITS.valueChars))
      .min(1)
      .max(ACTION_LIMITS.choices)
      .refine((values) => new Set(values).size === values.length, breaks(fact('value_twice'))),
  }),
])
export type ActionParameter = z.infer<typeof ActionParameter>

const statement = formText(1, ACTION_LIMITS.statementChars).nullable()

export const ActionDefinition = z.strictObject({
  /** For the assistant: what the action does and when to use it. */
  description: formText(1, ACTION_LIMITS.descriptionChars),
  /** Read as `{{args.<name>}}` and `{{identity}}`. */
  request: CallRequest,
  parameters: z.array(ActionParameter).max(ACTION_LIMITS.parameters),
  /** What of the customer fills `{{identity}}`; `none`: the action is not about the customer. */
  identity: z.enum(ACTION_IDENTITIES),
  /** What the assistant sees of the answer; none: the whole answer, cut short. */
  shown: z
    .array(z.strictObject({ label: formText(1, ACTION_LIMITS.labelChars), path: valuePath }))
    .max(ACTION_LIMITS.shownFields),
  /** What the customer is told before they agree, with `{{args.<name>}}`; null: we write it. */
  statement: z.strictObject({ en: statement, ar: statement }),
  /** Where the answer must hold the customer's own value; null: it is not checked. */
  ownershipPath: valuePath.nullable(),
})
export type ActionDefinition = z.infer<typeof ActionDefinition>
