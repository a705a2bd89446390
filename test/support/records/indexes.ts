/** Columns of the database's indexes, and triggers that lock rows. */
import { sql } from 'kysely'
import { storeOf, type Recorded } from './records.ts'

/** Returns the columns that a table's indexes have as keys, include, compute with or have a condition on. */
export async function columnsInIndexes(world: Recorded, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct attname as name
    from pg_index
      join pg_depend on classid = 'pg_class'::regclass and objid = indexrelid
        and refclassid = 'pg_class'::regclass and refobjid = indrelid
      join pg_attribute on attrelid = indrelid and attnum = refobjsubid
    where indrelid = ${table}::regclass and refobjsubid > 0
    union
    select attname from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indrelid = ${table}::regclass
    order by name`.execute(storeOf(world))
  return rows.map(({ name }) => name)
}

/** Returns the triggers that PostgreSQL executes before it updates a row of a table. It locks the row for them. */
export async function triggersBeforeUpdates(world: Recorded, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tgname as name from pg_trigger
    where tgrelid = ${table}::regclass and tgtype & 1 = 1 and tgtype & 2 = 2 and tgtype & 16 = 16`.execute(
    storeOf(world),
  )
  return rows.map(({ name }) => name)
}
