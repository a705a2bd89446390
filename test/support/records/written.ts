/** Free text of people: names, messages, reasons. */
import { sql } from 'kysely'
import { storeOf, type Recorded } from './records.ts'

const WRITTEN = [
  'name label text description summary caption file_name reason_text lost_reason email',
  'cancellation_reason customer_name visitor_name user_agent business_name',
].flatMap((columns) => columns.split(' '))

/**
 * Overwrites every text that people have written, where the database accepts the new one. Returns how many
 * kinds of text those were.
 */
export async function writeEverywhere(world: Recorded, text: string): Promise<number> {
  const { rows } = await sql<{ tableName: string; columnName: string }>`
    select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
      and c.column_name in (${sql.join(WRITTEN)})
      and c.table_name not in ('migration', 'event_type')`.execute(storeOf(world))
  let written = 0
  for (const { tableName: table, columnName: column } of rows) {
    const set = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where ${sql.ref(column)} is not null`
    // Some values must be unique, or are no free text.
    const done = await set.execute(storeOf(world)).catch(() => null)
    if (done !== null && Number(done.numAffectedRows ?? 0) > 0) written += 1
  }
  return written
}
