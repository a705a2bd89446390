import type { Kysely } from 'kysely'
import { loadAction } from '../connections/load-action.ts'
import type { DB } from '../database/tables.ts'

const READING: readonly string[] = ['search_knowledge', 'find_slots']
const OF_ACTIONS = 'action_'

/** Whether a tool only reads: used again it does nothing twice. */
export async function mayRepeat(db: Kysely<DB>, companyId: string, name: string): Promise<boolean> {
  if (!name.startsWith(OF_ACTIONS)) return READING.includes(name)
  const toolName = name.slice(OF_ACTIONS.length)
  const action = await loadAction(db, { companyId, toolName })
  return action?.definition.request.method === 'GET'
}
