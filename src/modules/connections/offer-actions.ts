import type { OfferedTool } from '../../rules/assistant/offered-tool.ts'
import { sql, type Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ActionDefinition, ActionParameter } from '../../contract/ai-action.ts'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'
import { isUsableIn, loadActionContext } from './load-action-context.ts'
import { hasActionCallLeft } from './reserve-action-call.sql.ts'
import { readDefinition, toolOf } from './view-action.ts'

/** A reply of the assistant; all calls of a reply share its `replyId`. */
export type Reply = { companyId: string; conversationId: string; replyId: string }

/**
 * Returns the actions that the assistant may use in this reply: active ones with an active connection, while quota is
 * left. An action about the customer requires a channel that verifies customers and a known value; one for verified
 * channels is offered only there.
 *
 * All conditions are checked again when an action is used.
 * Spec: Calls › AI actions; Calls › Connections.
 */
export async function offerActions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  reply: Reply,
): Promise<OfferedTool[]> {
  const now = clock.now()
  const context = await loadActionContext(db.kysely, reply, now)
  if (!context?.isInPlan || !context.isAssistantHandling) return []
  const { companyId, replyId } = reply
  if (
    !(await hasActionCallLeft(db.kysely, { companyId, replyId, customer: context.customer, now }))
  ) {
    return []
  }
  const day = await db.kysely
    .selectFrom('callDay')
    .select('made')
    .where('accountId', '=', context.accountId)
    .where('day', '=', sql<Date>`(${now}::timestamptz at time zone 'UTC')::date`)
    .executeTakeFirst()
  if (day && day.made >= CALL_LIMITS.perAccountPerDay) return []
  return listActionTools(db.kysely, companyId, (definition) => isUsableIn(context, definition))
}

/** Returns, as tools, the company's active actions that have an active connection and that `isUsable` accepts. */
export async function listActionTools(
  db: Kysely<DB>,
  companyId: string,
  isUsable: (definition: ActionDefinition) => boolean,
): Promise<OfferedTool[]> {
  const rows = await db
    .selectFrom('aiAction')
    .innerJoin('apiConnection', 'apiConnection.id', 'aiAction.connectionId')
    .select(['aiAction.toolName', 'aiAction.definition', 'aiAction.needsConfirmation'])
    .where('aiAction.companyId', '=', companyId)
    .where('aiAction.isOn', '=', true)
    .where('apiConnection.isOn', '=', true)
    .where('apiConnection.deletedAt', 'is', null)
    .orderBy('aiAction.id')
    .execute()
  const actions = rows
    .map((row) => ({ ...row, definition: readDefinition(row.definition) }))
    .filter(({ definition }) => isUsable(definition))
  return actions.map(({ toolName, needsConfirmation, definition }) => ({
    name: toolOf(toolName),
    description: needsConfirmation
      ? `${definition.description}\n${ONLY_PROPOSES}`
      : definition.description,
    parameters: schemaOf(definition.parameters),
  }))
}

const ONLY_PROPOSES =
  'This only proposes. The service itself states it to the customer, asks them, and does it once they agree.'

function schemaOf(parameters: readonly ActionParameter[]): OfferedTool['parameters'] {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter.name, valueSchema(parameter)]),
    ),
    required: parameters
      .filter((parameter) => parameter.isRequired)
      .map((parameter) => parameter.name),
    additionalProperties: false,
  }
}

function valueSchema(parameter: ActionParameter): object {
  const { description } = parameter
  switch (parameter.type) {
    case 'string':
      return { type: 'string', maxLength: ACTION_LIMITS.valueChars, description }
    case 'number':
      return { type: 'number', description }
    case 'yes_no':
      return { type: 'boolean', description }
    case 'one_of':
      return { type: 'string', enum: parameter.values, description }
  }
}
