import { pageOf } from '../../infra/database/page-of.ts'
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { ActionDefinition } from '../../contract/ai-action.ts'
import type { ActionView } from '../../contract/dashboard/action.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

/** The id of an action with the id of its company. */
export type OwnedAction = { companyId: string; actionId: string }

/** Returns a page of the company's actions, oldest first. */
export async function listActions(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<ActionView>> {
  const rows = await pageOf(selectActions(db.kysely, companyId), { limit, cursor }, [
    'aiAction.id',
    'oldest',
  ]).execute()
  return toPage(rows, limit, viewAction)
}

/** Returns an action. @throws not_found */
export async function showAction(db: Kysely<DB>, owned: OwnedAction): Promise<ActionView> {
  const row = await selectActions(db, owned.companyId)
    .where('aiAction.id', '=', owned.actionId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_action')))
  return viewAction(row)
}

function selectActions(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('aiAction')
    .innerJoin('apiConnection', 'apiConnection.id', 'aiAction.connectionId')
    .select([
      'aiAction.id',
      'aiAction.toolName',
      'aiAction.definition',
      'aiAction.needsConfirmation',
      'aiAction.isOn',
      'aiAction.createdAt',
      'aiAction.updatedAt',
      'apiConnection.id as connectionId',
      'apiConnection.name as connectionName',
      'apiConnection.isOn as connectionIsOn',
    ])
    .where('aiAction.companyId', '=', companyId)
}

type ActionRow = Awaited<ReturnType<ReturnType<typeof selectActions>['executeTakeFirstOrThrow']>>

function viewAction(row: ActionRow): ActionView {
  return {
    id: row.id,
    toolName: row.toolName,
    name: toolOf(row.toolName),
    ...readDefinition(row.definition),
    connection: { id: row.connectionId, name: row.connectionName, isOn: row.connectionIsOn },
    needsConfirmation: row.needsConfirmation,
    isOn: row.isOn,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns the name under which the model uses an action: its tool name with the prefix `action_`. */
export function toolOf(toolName: string): string {
  return `action_${toolName}`
}

/** Parses the stored definition of an action. */
export function readDefinition(text: string): ActionDefinition {
  return ActionDefinition.parse(JSON.parse(text))
}
