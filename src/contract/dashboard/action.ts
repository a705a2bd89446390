import { z } from 'zod'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'
import { ActionDefinition, type ActionParameter } from '../ai-action.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'
import { ruleCode } from '../../schemas/broken-rule.ts'
import { countryOfPhone } from './phone.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

const toolName = z
  .string()
  .max(ACTION_LIMITS.toolNameChars)
  .regex(/^[a-z][a-z0-9_]*$/, ruleCode('wrong_tool_name'))

/** An action to create. Fields have defaults: confirmation is on, and no values are picked or checked. */
export const CreateAction = z.strictObject({
  toolName,
  ...ActionDefinition.shape,
  parameters: ActionDefinition.shape.parameters.default([]),
  identity: ActionDefinition.shape.identity.default('none'),
  shown: ActionDefinition.shape.shown.default([]),
  ownershipPath: ActionDefinition.shape.ownershipPath.default(null),
  statement: ActionDefinition.shape.statement.default({ en: null, ar: null }),
  /** Null, or left out: guessed by the name and the method. */
  does: ActionDefinition.shape.does.default(null),
  /** The default is guessed from what the action looks up. */
  offeredOn: ActionDefinition.shape.offeredOn.optional(),
  needsConfirmation: z.boolean().default(true),
  isOn: z.boolean().default(true),
})
export type CreateAction = z.output<typeof CreateAction>

/** The fields to change. */
export const EditAction = z
  .strictObject({
    toolName,
    ...ActionDefinition.shape,
    needsConfirmation: z.boolean(),
    isOn: z.boolean(),
  })
  .partial()
export type EditAction = z.output<typeof EditAction>

export type ActionView = {
  id: string
  toolName: string
  /** The name that the assistant calls: `action_` and the tool name. */
  name: string
  description: string
  request: ActionDefinition['request']
  connection: { id: string; name: string; isOn: boolean }
  parameters: ActionParameter[]
  identity: ActionDefinition['identity']
  shown: ActionDefinition['shown']
  ownershipPath: string | null
  statement: ActionDefinition['statement']
  /** The value is null until a member chooses one; the service then guesses from the action's name. */
  does: ActionDefinition['does']
  offeredOn: ActionDefinition['offeredOn']
  needsConfirmation: boolean
  isOn: boolean
  createdAt: string
  updatedAt: string
}

/**
 * A real call with these arguments, for a test. `contactId` or `identity` gives the customer's value to an action that
 * is about a customer.
 */
export const TestAction = z.strictObject({
  args: z.record(z.string().max(CALL_LIMITS.nameChars), z.unknown()).default({}),
  contactId: uuidInput.optional(),
  identity: z.string().max(ACTION_LIMITS.valueChars).optional(),
  country: countryOfPhone,
})
export type TestAction = z.output<typeof TestAction>

/** The result of a test call. `resultText` is exactly the text that the assistant would read. */
export type TestedAction = {
  resultText: string
  outcome: 'success' | 'failed' | 'refused'
  failure: CallFailure | null
  detail: LocalizedFact | null
  httpStatus: number | null
  /** The answer without the credential, to pick fields from; cut short. */
  answerText: string | null
  /** Length of the whole answer. */
  answerChars: number | null
  attempts: number
  durationMs: number
}

export interface ActionRoutes {
  '/companies/:companyId/actions': {
    get: Route<Page<ActionView>, { query: typeof PageQuery }>
    post: Route<ActionView, { json: typeof CreateAction }>
  }
  '/companies/:companyId/actions/:actionId': {
    get: Route<ActionView>
    patch: Route<ActionView, { json: typeof EditAction }>
    delete: Route<null>
  }
  '/companies/:companyId/actions/:actionId/test': {
    post: Route<TestedAction, { json: typeof TestAction }>
  }
}
