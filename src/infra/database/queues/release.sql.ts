import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isClaimOf } from '../node-locks.sql.ts'
import type { LostClaim } from '../after-commit.ts'
import type { DB } from '../tables.ts'
import {
  dueOf,
  isClaimed,
  keyOf,
  type Claimable,
  type RowClaim,
  type Queue,
  type Since,
} from './queue.ts'

/**
 * Releases the rows whose lease ended at `before` or earlier, but not before `since`. Returns the number of released
 * rows.
 */
export function releaseExpired(
  db: Kysely<DB>,
  queue: Claimable,
  now: Date,
  { before = now, since = null }: { before?: Date; since?: Since } = {},
): Promise<number> {
  const isOver = sql`lease_expires_at <= ${before}`
  return release(db, queue, now, since ? sql`${isOver} and ${isClaimed(queue, since)}` : isOver)
}

/** Releases the rows that dead processes had claimed. Returns the number of released rows. */
export function releaseOf(
  db: Kysely<DB>,
  queue: Claimable,
  now: Date,
  nodes: readonly string[],
): Promise<number> {
  return release(db, queue, now, isClaimOf(nodes))
}

/** Releases the rows under claims on which no process works. Returns the number of released rows. */
export function releaseClaims(
  db: Kysely<DB>,
  queue: Claimable,
  now: Date,
  claims: readonly LostClaim[],
): Promise<number> {
  if (claims.length === 0) return Promise.resolve(0)
  const whole = claims.flatMap(({ claimId, id }) => (id === undefined ? claimId : []))
  const ofRows = claims.filter(({ id }) => id !== undefined)
  const isLost = sql`(claim_id = any(${whole}::uuid[]) or (${keyOf(queue)}::text, claim_id) in (
    select * from unnest(${ofRows.map(({ id }) => id)}::text[],
      ${ofRows.map(({ claimId }) => claimId)}::uuid[])))`
  return release(db, queue, now, isLost)
}

/**
 * Isolation: one statement; `skip locked` skips a row whose outcome its process is recording. The index of the claims
 * finds the rows, which only then are sorted and locked by key. In one step, a planner whose statistics show few rows
 * reads all of them in the order of the key.
 */
async function release(
  db: Kysely<DB>,
  queue: Claimable & Pick<Queue, 'movesDue'>,
  now: Date,
  isLost: RawBuilder<unknown>,
): Promise<number> {
  if (queue.release) return queue.release(db, now, isLost)
  const [table, key] = [sql.table(queue.table), keyOf(queue)]
  const { numAffectedRows } = await sql`
    with lost as materialized (
      select ${key} as id from ${table} where claim_id is not null and ${isLost}
    ), locked as materialized (
      select claimed.id from (select id from lost order by id) lost cross join lateral (
        select ${key} as id from ${table}
        where ${key} = lost.id and num_nonnulls(claim_id) = 1 and ${isLost}
        for update skip locked) claimed
    )
    update ${table} set claim_id = null, lease_expires_at = null
      ${dueAgain(queue, now)}
    where ${key} = any(array(select id from locked))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Builds the assignment that makes released rows due immediately, except those that are no longer due. */
function dueAgain(queue: Claimable & Pick<Queue, 'movesDue'>, now: Date): RawBuilder<unknown> {
  const due = dueOf(queue)
  return queue.movesDue
    ? sql`, ${due} = case when ${due} is not null then least(${due}, ${now}) end`
    : sql``
}

/** Releases rows that were claimed but not begun: they are due immediately, for any process. */
export async function releaseRows(
  db: Kysely<DB>,
  queue: Claimable & Pick<Queue, 'movesDue'>,
  rows: readonly RowClaim[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const [table, key] = [sql.table(queue.table), keyOf(queue)]
  const ids = rows.map(({ id }) => id)
  await sql`
    update ${table} set claim_id = null, lease_expires_at = null
      ${dueAgain(queue, now)}
    from unnest(${ids}::text[], ${rows.map(({ claimId }) => claimId)}::uuid[]) as given (id, claim_id)
    where ${table}.${key} = any(${ids}) and ${table}.${key}::text = given.id
      and ${table}.claim_id = given.claim_id
  `.execute(db)
}

/**
 * Ends the claim of a row and changes its columns. Returns whether the row still had this claim; if not, it is
 * unchanged.
 * @param change assignments
 */
export async function settle(
  db: Kysely<DB>,
  queue: Claimable,
  { id, claimId }: RowClaim,
  change: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(queue.table)} set claim_id = null, lease_expires_at = null, ${change}
    where ${keyOf(queue)} = ${id} and claim_id = ${claimId}
  `.execute(db)
  return numAffectedRows === 1n
}
