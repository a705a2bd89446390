/** Everything that is kept of customers, as text: for what must be gone after a contact is erased. */
import { sql } from 'kysely'
import { storeOf, type Recorded } from './records.ts'

const OF_CUSTOMERS = [
  'contact',
  'contact_alias',
  'conversation',
  'conversation_entry',
  'message',
  'notice',
  'handover',
  'flow_run',
]

/** Returns all records of customers, of every company, as one text. */
export async function textOfCustomers(world: Recorded): Promise<string> {
  const kept: string[] = []
  for (const table of OF_CUSTOMERS) kept.push(...(await recordsAsText(world, table)))
  return kept.join('\n')
}

const OF_VISITORS = [
  'conversation',
  'message',
  'visitor',
  'visitor_ticket',
  'flow_run',
  'lead',
  'file',
]

/** Returns all records of visitors of websites, of every company, as one text. */
export async function textOfVisitors(world: Recorded): Promise<string> {
  const kept: string[] = []
  for (const table of OF_VISITORS) kept.push(...(await recordsAsText(world, table)))
  return kept.join('\n')
}

/** Returns what is remembered of the opt-outs of erased contacts, a text each. */
export const rememberedOptOuts = (world: Recorded): Promise<string[]> =>
  recordsAsText(world, 'opt_out_memory')

async function recordsAsText(world: Recorded, table: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select row_to_json(each)::text as text from ${sql.table(table)} each`.execute(storeOf(world))
  return rows.map(({ text }) => text)
}
