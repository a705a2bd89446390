import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'

const WAYS_IN = [
  'session',
  'begun_sign_in',
  'known_device',
  'password_reset',
  'invitation',
  'visitor_ticket',
]

/**
 * Ends all that lets somebody in without a password, of all accounts: a backup has what was ended since it was made.
 * A backup of an earlier version may lack one of these tables, and then has none to end.
 */
export async function endWaysIn(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${WAYS_IN}::text[]) as name where to_regclass(name) is not null
  `.execute(db)
  for (const { name } of rows) await sql`delete from ${sql.id(name)}`.execute(db)
}
