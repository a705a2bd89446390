/** What an AI action is made of, as it is stored. Spec: Calls › AI actions. */
import { z } from 'zod'
import { fact } from '../core/facts/fact.ts'
import { ACTION_LIMITS } from '../core/limits/calls.ts'
import { ACTION_CHANNELS, ACTION_IDENTITIES } from '../core/vocabulary/calls.ts'
import { CLAIM_KINDS } from '../core/vocabulary/statements/kinds.ts'
import { breaks, ruleOf } from '../schemas/broken-rule.ts'
import { CallRequest } from '../schemas/call-request.ts'
import { formText } from '../schemas/form-text.ts'
import { valuePath } from '../schemas/flow-names.ts'

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
    .array(
      z.strictObject({
        label: formText(1, ACTION_LIMITS.labelChars),
        path: valuePath,
        /** Whoever writes may read a phone number or an address that stands there, also where no channel verifies them. */
        isPublic: z.boolean().optional(),
      }),
    )
    .max(ACTION_LIMITS.shownFields),
  /** What the action does for a customer; empty: it only looks something up. Null: its name tells. */
  does: z
    .array(z.enum(CLAIM_KINDS))
    .max(CLAIM_KINDS.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, breaks(fact('value_twice')))
    .nullable(),
  /** The channels on which the assistant may use it. */
  offeredOn: z.enum(ACTION_CHANNELS),
  /** What the customer is told before they agree, with `{{args.<name>}}`; null: we write it. */
  statement: z.strictObject({ en: statement, ar: statement }),
  /** Where the answer must hold the customer's own value; null: it is not checked. */
  ownershipPath: valuePath.nullable(),
})
export type ActionDefinition = z.infer<typeof ActionDefinition>
