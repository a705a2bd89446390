import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'

/** Wipes at most `most` secrets whose overlap has ended: they sign nothing any more. */
export async function deleteRetiredSecrets(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from endpoint_secret where id in (
      select id from endpoint_secret where signs_until <= ${now}
      limit ${most} for update skip locked)
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
