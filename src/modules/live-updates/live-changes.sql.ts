import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { SECOND_MS } from '../../core/limits/units.ts'

/**
 * Changes of the rows that a company's members look at. Triggers record changed rows of a watched company by entity
 * and id, with the transaction that changed them. A reader compares snapshots: a transaction that the new one sees and
 * the old one did not was committed in between. That holds with any number of nodes and any long transaction.
 */

/** The value of `since_xid` for a company whose recording has no first transaction yet. */
const NOT_YET = Number.MAX_SAFE_INTEGER

/**
 * Starts recording the changes of these companies. Returns the first recorded transaction of each: changes of all
 * later transactions are recorded, and those of earlier ones may be missing.
 */
export async function startRecording(
  db: Kysely<DB>,
  { companyIds, until }: { companyIds: readonly string[]; until: Date },
): Promise<Map<string, number>> {
  await sql`
    insert into live_watch (company_id, watched_until, since_xid)
    select id, ${until}, ${NOT_YET} from unnest(${companyIds.toSorted()}::uuid[]) id
    on conflict (company_id) do update
      set watched_until = greatest(live_watch.watched_until, excluded.watched_until)
  `.execute(db)
  // A transaction that gets its number after this one sees that the company is watched.
  const { rows } = await sql<{ companyId: string; sinceXid: number }>`
    with begun as (
      update live_watch set since_xid = pg_current_xact_id()::text::bigint
      where company_id in (
        select company_id from live_watch
        where company_id = any(${companyIds}::uuid[]) and since_xid = ${NOT_YET}
        order by company_id for update)
      returning company_id, since_xid
    )
    select company_id, since_xid from begun
    union all
    select company_id, since_xid from live_watch
    where company_id = any(${companyIds}::uuid[]) and since_xid <> ${NOT_YET}
  `.execute(db)
  return new Map(rows.map(({ companyId, sinceXid }) => [companyId, sinceXid]))
}

/** A snapshot of the database: transactions below `end` that are not in `open` have ended, and no others. */
export type Snapshot = { end: number; open: readonly number[] }

/**
 * Returns the database's current snapshot. PostgreSQL numbers the transactions of all its databases together. Those of
 * other databases are left out, as far as this user may see their database.
 */
export async function readSnapshot(db: Kysely<DB>): Promise<Snapshot> {
  const { rows } = await sql<{ end: number; open: string[] }>`
    select pg_snapshot_xmax(snapshot)::text::bigint as end,
      array(
        select open::text from pg_snapshot_xip(snapshot) open
        where not exists (
          select from pg_stat_activity
          where backend_xid = open::xid and datname <> current_database()
        )
      ) as open
    from pg_current_snapshot() snapshot
  `.execute(db)
  const { end, open } = rows[0]!
  return { end, open: open.map(Number) }
}

/** A changed row: the name of its entity, and its id. */
export type Change = { entity: string; id: string }

/**
 * Returns at most `limit` changes of a company that the snapshot `to` sees and `from` did not see. A row that changed
 * several times appears as often.
 */
export async function readChanges(
  db: Kysely<DB>,
  range: { companyId: string; from: Snapshot; to: Snapshot; limit: number },
): Promise<Change[]> {
  const { companyId, from, to, limit } = range
  const { rows } = await sql<Change>`
    select entity, id from live_change
    where (xid >= ${from.end} and xid < ${to.end} or xid = any(${from.open}::bigint[]))
      and xid <> all(${to.open}::bigint[]) and company_id = ${companyId}
    limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Stops recording for companies without recent watchers, and deletes at most `limit` changes older than `keptMs`. The
 * age is by the database's clock, because the recording trigger has no other. With `seenBy`, only changes that this
 * snapshot sees are deleted, as a transaction may stay open for longer than `keptMs`. Returns how many were deleted.
 */
export async function sweepChanges(
  db: Kysely<DB>,
  {
    now,
    keptMs,
    limit,
    seenBy,
  }: { now: Date; keptMs: number; limit: number; seenBy?: Snapshot | undefined },
): Promise<number> {
  const isSeen = seenBy
    ? sql`and xid < ${seenBy.end} and xid <> all(${seenBy.open}::bigint[])`
    : sql``
  const { numAffectedRows } = await sql`
    with picked as (
      select ctid from live_change
      where changed_at < now() - make_interval(secs => ${keptMs / SECOND_MS}) ${isSeen} limit ${limit}
      for update skip locked
    ), unwatched as (
      delete from live_watch where watched_until < ${now}
    )
    delete from live_change using picked where live_change.ctid = picked.ctid
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
