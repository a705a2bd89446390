import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../tables.ts'
import {
  dueOf,
  isClaimed,
  isSince,
  keyOf,
  type Claimable,
  type Queue,
  type Since,
} from './queue.ts'

/**
 * Builds the SQL of the time at which a queue's next row is due or its next lease ends; null when none waits. Rows
 * before `since` are not read. `except` names a query whose ids are left out, such as those that the same statement
 * claims.
 */
export function nextDueIn(
  queue: Queue,
  since: Since,
  except?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [table, due] = [sql.table(queue.table), dueOf(queue)]
  const isLeft = except ? sql`and ${keyOf(queue)} <> all(array(${except}))` : sql``
  return sql`least(
    (select ${due} from ${table} where ${queue.waits} and ${due} is not null and claim_id is null ${isSince(due, since)} ${isLeft}
      order by ${due} limit 1),
    (select lease_expires_at from ${table} where ${isClaimed(queue, since)} order by lease_expires_at limit 1))`
}

/**
 * Returns when the next row of a queue is due or its next lease ends; null when no row waits. Rows before `since` are
 * not read.
 */
export async function nextDue(
  db: Kysely<DB>,
  queue: Claimable | Queue,
  since: Since = null,
): Promise<Date | null> {
  if (queue.nextDue) return queue.nextDue(db, since)
  const { rows } = await sql<{
    at: Date | null
  }>`select ${nextDueIn(queue as Queue, since)} as at`.execute(db)
  return rows[0]?.at ?? null
}

/** Returns the earliest due time or end of a lease of a queue's rows; null when no row waits. */
export const earliestOf = (db: Kysely<DB>, queue: Claimable | Queue): Promise<Date | null> =>
  queue.earliest?.(db) ?? nextDue(db, queue)
