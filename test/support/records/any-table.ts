/**
 * Records of any table that a test names: how many there are, whether one exists, and which process has claimed
 * it.
 */
import { sql } from 'kysely'
import type { DB } from '../../../src/infra/database/tables.ts'
import { storeOf, type Recorded } from './records.ts'

/** A record by the name of its table in the database and the column that finds it. */
export type Place = { table: string; column: string; id: string }

export async function countEach<Table extends keyof DB>(
  world: Recorded,
  tables: readonly Table[],
): Promise<Record<Table, number>> {
  const counts = {} as Record<Table, number>
  for (const table of tables) {
    const { count } = await storeOf(world)
      .selectFrom<keyof DB>(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = count
  }
  return counts
}

export async function isThere(world: Recorded, { table, column, id }: Place): Promise<boolean> {
  const { rows } =
    await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
      storeOf(world),
    )
  return rows.length > 0
}

/** Returns all that a record has, or undefined where it is gone. */
export async function recordAt(
  world: Recorded,
  { table, column, id }: Place,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(storeOf(world))
  return rows[0]
}

/** Returns the claim of the process that has claimed a record, or null. */
export async function claimOf(
  world: Recorded,
  { table, column, id }: Place,
): Promise<string | null> {
  const { rows } = await sql<{ claimId: string | null }>`
    select claim_id from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
    storeOf(world),
  )
  return rows[0]!.claimId
}

/** Claims a record as a process does. A message is then one that is being sent. */
export async function claimAs(
  world: Recorded,
  { table, column, id }: Place,
  claimId: string,
  leaseExpiresAt: Date,
): Promise<void> {
  const status = table === 'message' ? sql`, status = 'sending'` : sql``
  await sql`update ${sql.table(table)} set claim_id = ${claimId}, lease_expires_at = ${leaseExpiresAt}
    ${status} where ${sql.ref(column)} = ${id}`.execute(storeOf(world))
}
