import type { Kysely } from 'kysely'
import { mayChange } from '../connections/call-action.ts'
import { loadAction } from '../connections/load-action.ts'
import type { DB } from '../../infra/database/tables.ts'

const READING: readonly string[] = ['search_knowledge', 'find_slots']
/** Used again in one reply, with the same arguments, they find it done. */
const KNOWING: readonly string[] = [
  'book_appointment',
  'cancel_appointment',
  'record_lead',
  'set_customer',
  'hand_over',
]
const OF_ACTIONS = 'action_'

/** Whether a tool may be used once more after it was cut off: it does nothing twice. */
export async function mayRepeat(db: Kysely<DB>, companyId: string, name: string): Promise<boolean> {
  return KNOWING.includes(name) || (await onlyReads(db, companyId, name))
}

/** Whether a tool only reads: the reply may begin anew while it is used, and after. */
export async function onlyReads(db: Kysely<DB>, companyId: string, name: string): Promise<boolean> {
  if (!name.startsWith(OF_ACTIONS)) return READING.includes(name)
  const toolName = name.slice(OF_ACTIONS.length)
  const action = await loadAction(db, { companyId, toolName })
  return action !== null && !mayChange(action.definition)
}
