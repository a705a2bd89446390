/** The definition of an AI action, as it is stored. Spec: Calls › AI actions. */
import { z } from 'zod'
import { fact } from '../core/facts/fact.ts'
import { ACTION_LIMITS } from '../core/limits/calls.ts'
import { ACTION_CHANNELS, ACTION_IDENTITIES } from '../core/vocabulary/calls.ts'
import { CLAIM_KINDS } from '../core/vocabulary/statements/kinds.ts'
import { failsWith, ruleCode } from '../schemas/broken-rule.ts'
import { CallRequest } from '../schemas/call-request.ts'
import { formText } from '../schemas/form-text.ts'
import { valuePath } from '../schemas/flow-names.ts'

const described = {
  name: z
    .string()
    .max(ACTION_LIMITS.parameterNameChars)
    .regex(/^[a-z][a-z0-9_]*$/, ruleCode('wrong_tool_name')),
  /** The assistant reads it, and asks the customer by it. */
  description: formText(1, ACTION_LIMITS.parameterDescriptionChars),
  isRequired: z.boolean(),
}

/** A parameter of an action, whose argument the assistant reads from the conversation. */
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
      .refine((values) => new Set(values).size === values.length, failsWith(fact('value_twice'))),
  }),
])
export type ActionParameter = z.infer<typeof ActionParameter>

const statement = formText(1, ACTION_LIMITS.statementChars).nullable()

/** An action as a member defines it: its request, its parameters, and the use of its answer. */
export const ActionDefinition = z.strictObject({
  /** The assistant reads here what the action does and when to use it. */
  description: formText(1, ACTION_LIMITS.descriptionChars),
  /** A request with the placeholders `{{args.<name>}}` and `{{identity}}`. */
  request: CallRequest,
  parameters: z.array(ActionParameter).max(ACTION_LIMITS.parameters),
  /** The verified value of the customer that fills `{{identity}}`; `none` if the action is not about the customer. */
  identity: z.enum(ACTION_IDENTITIES),
  /** The fields of the answer that the assistant sees. An empty list shows the whole answer, truncated. */
  shown: z
    .array(
      z.strictObject({
        label: formText(1, ACTION_LIMITS.labelChars),
        path: valuePath,
        /**
         * Anyone who writes may read a phone number or an address in this field, even on a channel that verifies
         * neither.
         */
        isPublic: z.boolean().optional(),
      }),
    )
    .max(ACTION_LIMITS.shownFields),
  /**
   * The effects of the action for a customer. An empty list means that the action only looks something up. With null,
   * the effect is guessed from the action's name.
   */
  does: z
    .array(z.enum(CLAIM_KINDS))
    .max(CLAIM_KINDS.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, failsWith(fact('value_twice')))
    .nullable(),
  /** The channels on which the assistant may use it. */
  offeredOn: z.enum(ACTION_CHANNELS),
  /**
   * The confirmation text that the customer reads before they agree, with `{{args.<name>}}`. With null, the service
   * writes it.
   */
  statement: z.strictObject({ en: statement, ar: statement }),
  /** The path at which the answer must hold the customer's own value. With null, ownership is not checked. */
  ownershipPath: valuePath.nullable(),
})
export type ActionDefinition = z.infer<typeof ActionDefinition>
