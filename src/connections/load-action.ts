import type { Kysely } from 'kysely'
import type { ActionDefinition } from '../contract/ai-action.ts'
import type { DB } from '../database/tables.ts'
import { readDefinition } from './view-action.ts'

/** An action as it is called. */
export type LoadedAction = {
  id: string
  toolName: string
  definition: ActionDefinition
  needsConfirmation: boolean
  isOn: boolean
  revision: number
}

/** Null: the company has no such action. */
export async function loadAction(
  db: Kysely<DB>,
  { companyId, ...by }: { companyId: string } & ({ actionId: string } | { toolName: string }),
): Promise<LoadedAction | null> {
  const row = await db
    .selectFrom('aiAction')
    .select(['id', 'toolName', 'definition', 'needsConfirmation', 'isOn', 'revision'])
    .where('companyId', '=', companyId)
    .$if('actionId' in by, (select) => select.where('id', '=', 'actionId' in by ? by.actionId : ''))
    .$if('toolName' in by, (select) =>
      select.where('toolName', '=', 'toolName' in by ? by.toolName : ''),
    )
    .executeTakeFirst()
  return row ? { ...row, definition: readDefinition(row.definition) } : null
}
