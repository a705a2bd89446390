import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { SECOND_MS } from '../limits/units.ts'

/**
 * Changes of what a company's members look at. Triggers note which rows of a watched company change,
 * by noun and id, with the transaction that changed them. A reader goes along the transactions: all
 * those below the oldest one that is still open have been committed or rolled back, so between two
 * such edges nothing is missed and nothing comes late, on however many nodes.
 */

/** Keeps the changes of these companies from now on. Says since which transaction each is watched. */
export async function keepChanges(
  db: Kysely<DB>,
  { companyIds, until }: { companyIds: readonly string[]; until: Date },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ companyId: string; sinceXid: number }>`
    insert into live_watch (company_id, watched_until)
    select id, ${until} from unnest(${companyIds.toSorted()}::uuid[]) id
    on conflict (company_id) do update
      set watched_until = greatest(live_watch.watched_until, excluded.watched_until)
    returning company_id, since_xid
  `.execute(db)
  return new Map(rows.map(({ companyId, sinceXid }) => [companyId, sinceXid]))
}

export type Edges = {
  /** Every transaction below has ended. */
  ended: number
  /** No transaction from here on has begun. */
  begun: number
}

export async function readEdges(db: Kysely<DB>): Promise<Edges> {
  const { rows } = await sql<Edges>`
    select pg_snapshot_xmin(snapshot)::text::bigint as ended,
      pg_snapshot_xmax(snapshot)::text::bigint as begun
    from pg_current_snapshot() snapshot
  `.execute(db)
  return rows[0]!
}

export type Change = { noun: string; id: string }

/**
 * Changes of a company between two edges, at most `most` of them; what changed several times is there
 * as often.
 */
export async function readChanges(
  db: Kysely<DB>,
  range: { companyId: string; from: number; to: number; most: number },
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select noun, id from live_change
    where xid >= ${range.from} and xid < ${range.to} and company_id = ${range.companyId}
    limit ${range.most}
  `.execute(db)
  return rows
}

/**
 * Stops keeping what nobody has watched lately, and deletes at most `most` changes that are older
 * than `keptMs`. Those are told by the database's own clock, as the trigger that notes them knows no
 * other.
 */
export async function sweepChanges(
  db: Kysely<DB>,
  { now, keptMs, most }: { now: Date; keptMs: number; most: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select ctid from live_change
      where changed_at < now() - make_interval(secs => ${keptMs / SECOND_MS}) limit ${most}
      for update skip locked
    ), unwatched as (
      delete from live_watch where watched_until < ${now}
    )
    delete from live_change using picked where live_change.ctid = picked.ctid
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
