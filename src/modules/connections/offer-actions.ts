import { sql, type Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ActionDefinition, ActionParameter } from '../../contract/ai-action.ts'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'
import { isUsableIn, loadActionContext } from './load-action-context.ts'
import { hasActionCallLeft } from './reserve-action-call.sql.ts'
import { readDefinition, toolOf } from './view-action.ts'

/** One reply of the assistant: `replyId` is the caller's, the same for all calls of the reply. */
export type Reply = { companyId: string; conversationId: string; replyId: string }

/** A tool as a language model is given it; `parameters` is a JSON schema. */
export type OfferedTool = {
  name: string
  description: string
  parameters: {
    type: 'object'
    properties: Record<string, object>
    required: string[]
    additionalProperties: false
  }
}

/**
 * The actions that the assistant may decide to use in this reply: those that are on, with their
 * connection, in a conversation that it answers, while there are calls left. An action about the
 * customer only where the channel vouches for who writes and the value is known; one that is for verified channels
 * on these alone.
 *
 * What is offered is looked at again when it is used.
 * Spec: Calls › AI actions; Calls › Connections.
 */
export async function offerActions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  reply: Reply,
): Promise<OfferedTool[]> {
  const now = clock.now()
  const turn = await loadActionContext(db.kysely, reply, now)
  if (!turn?.isInPlan || !turn.isAssistants) return []
  const { companyId, replyId } = reply
  if (!(await hasActionCallLeft(db.kysely, { companyId, replyId, customer: turn.customer, now }))) {
    return []
  }
  const day = await db.kysely
    .selectFrom('callDay')
    .select('made')
    .where('accountId', '=', turn.accountId)
    .where('day', '=', sql<Date>`(${now}::timestamptz at time zone 'UTC')::date`)
    .executeTakeFirst()
  if (day && day.made >= CALL_LIMITS.perAccountPerDay) return []
  return listActionTools(db.kysely, companyId, (definition) => isUsableIn(turn, definition))
}

/** The company's actions that are on, with their connection, as tools. */
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
    properties: Object.fromEntries(parameters.map((one) => [one.name, valueSchema(one)])),
    required: parameters.filter((one) => one.isRequired).map((one) => one.name),
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
