import type { Kysely } from 'kysely'
import { mayChange } from '../connections/call-action.ts'
import { loadAction } from '../connections/load-action.ts'
import type { DB } from '../../infra/database/tables.ts'

const READ_ONLY: readonly string[] = ['search_knowledge', 'find_slots']
/** Tools that are idempotent within a reply for the same arguments. */
const IDEMPOTENT: readonly string[] = [
  'book_appointment',
  'cancel_appointment',
  'record_lead',
  'set_customer',
  'hand_over',
]
const OF_ACTIONS = 'action_'

/** Returns whether a tool may be repeated after an interruption without a second effect. */
export async function mayRepeatTool(
  db: Kysely<DB>,
  companyId: string,
  name: string,
): Promise<boolean> {
  return IDEMPOTENT.includes(name) || (await isReadOnlyTool(db, companyId, name))
}

/** Returns whether a tool only reads, so that the reply may restart during and after its use. */
export async function isReadOnlyTool(
  db: Kysely<DB>,
  companyId: string,
  name: string,
): Promise<boolean> {
  if (!name.startsWith(OF_ACTIONS)) return READ_ONLY.includes(name)
  const toolName = name.slice(OF_ACTIONS.length)
  const action = await loadAction(db, { companyId, toolName })
  return action !== null && !mayChange(action.definition)
}
