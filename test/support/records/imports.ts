/** Imports of contacts, and other lists that are too long to be made through the API. */
import { sql } from 'kysely'
import { storeOf, type Recorded } from './records.ts'

/** Moves the cursor of an import ahead by this number of rows. */
export async function skipRows(world: Recorded, importId: string, rows: number): Promise<void> {
  await sql`update contact_import set next_row = next_row + ${rows} where id = ${importId}`.execute(
    storeOf(world),
  )
}

/** Returns how much is kept of an import: itself, its file and its rows. */
export async function countKeptOfImport(world: Recorded, importId: string): Promise<number> {
  const { rows } = await sql`
    select 1 from contact_import where id = ${importId} union all
    select 1 from contact_import_file where import_id = ${importId} union all
    select 1 from contact_import_row where import_id = ${importId}`.execute(storeOf(world))
  return rows.length
}

/** Adds segments to a company until it has this number of them. */
export async function fillSegments(
  world: Recorded,
  { companyId }: { companyId: string },
  count: number,
): Promise<void> {
  await sql`insert into segment select gen_random_uuid(), ${companyId}, 'n' || n, '{}', now(), now()
    from generate_series(1, ${count}::int - (
      select count(*)::int from segment where company_id = ${companyId})) n`.execute(storeOf(world))
}

/** Adds ready replies to a company, numbered from five on, until the last has this number. */
export async function fillCannedReplies(
  world: Recorded,
  { companyId }: { companyId: string },
  last: number,
): Promise<void> {
  await sql`insert into canned_reply (id, company_id, shortcut, text, created_at, updated_at)
    select gen_random_uuid(), ${companyId}, 'n' || n, 'Hello', now(), now()
    from generate_series(5, ${last}::int) n`.execute(storeOf(world))
}

/** Returns how many rows of the tables that an import fills were read by reading all of a table. */
export async function rowsReadWhole(world: Recorded): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select sum(seq_tup_read) as read from pg_stat_user_tables
    where relname in ('contact', 'identity', 'identifier', 'contact_import_row')`.execute(
    storeOf(world),
  )
  return Number(rows[0]!.read)
}
