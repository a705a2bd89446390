import { sql, type Kysely } from 'kysely'
import type { BroadcastCounts } from '../../contract/dashboard/broadcast.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { SkipReason } from '../../core/vocabulary/broadcasts.ts'

/** The counts of a broadcast as its row stores them: recipients by outcome, and skipped ones by reason. */
export type StoredCounts = BroadcastCounts & { leftOut?: { [Reason in SkipReason]?: number } }

/** Counts recipients by outcome, and skipped contacts by reason. Spec: Broadcasts › Outcome. */
export async function countBroadcast(
  db: Kysely<DB>,
  { id, total }: { id: string; total: number },
): Promise<StoredCounts> {
  type Row = { outcome: keyof BroadcastCounts; reason: SkipReason | null; count: number }
  const { rows } = await sql<Row>`
    select broadcast_status as outcome, null as reason, count(*)::int as count from message
    where broadcast_id = ${id} group by broadcast_status
    union all
    select 'skipped', skip_reason, count(*)::int from broadcast_recipient
    where broadcast_id = ${id} and skip_reason is not null group by skip_reason
    order by outcome`.execute(db)
  const counts: StoredCounts = {}
  let pending = total
  for (const { outcome, reason, count } of rows) {
    counts[outcome] = (counts[outcome] ?? 0) + count
    if (reason !== null) counts.leftOut = { ...counts.leftOut, [reason]: count }
    pending -= count
  }
  return pending > 0 ? { pending, ...counts } : counts
}
