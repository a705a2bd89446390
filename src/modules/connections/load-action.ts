import type { Kysely } from 'kysely'
import type { ActionDefinition } from '../../contract/ai-action.ts'
import type { DB } from '../../infra/database/tables.ts'
import { readDefinition } from './view-action.ts'

/** An AI action with its parsed definition. `revision` grows with each change. */
export type LoadedAction = {
  id: string
  toolName: string
  definition: ActionDefinition
  needsConfirmation: boolean
  isOn: boolean
  isConnectionOn: boolean
  revision: number
}

/** Loads an action, or returns null when the company has none with the id or name. */
export async function loadAction(
  db: Kysely<DB>,
  { companyId, ...by }: { companyId: string } & ({ actionId: string } | { toolName: string }),
): Promise<LoadedAction | null> {
  const row = await db
    .selectFrom('aiAction')
    .innerJoin('apiConnection', 'apiConnection.id', 'aiAction.connectionId')
    .select([
      'aiAction.id',
      'aiAction.toolName',
      'aiAction.definition',
      'aiAction.needsConfirmation',
      'aiAction.isOn',
      'aiAction.revision',
      'apiConnection.isOn as isConnectionOn',
    ])
    .where('aiAction.companyId', '=', companyId)
    .$if('actionId' in by, (select) =>
      select.where('aiAction.id', '=', 'actionId' in by ? by.actionId : ''),
    )
    .$if('toolName' in by, (select) =>
      select.where('aiAction.toolName', '=', 'toolName' in by ? by.toolName : ''),
    )
    .executeTakeFirst()
  return row ? { ...row, definition: readDefinition(row.definition) } : null
}
