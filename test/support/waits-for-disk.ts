import { sql, type Kysely } from 'kysely'
import type { DB } from '../../src/infra/database/tables.ts'

/** Returns whether the commit of a transaction would wait for the disk and for synchronous standbys. */
export async function waitsForDisk(tx: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ value: string }>`
    select current_setting('synchronous_commit') as value`.execute(tx)
  return rows[0]!.value !== 'off'
}
