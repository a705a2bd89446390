import { sql, type Kysely } from 'kysely'
import type { BroadcastCounts } from '../contract/dashboard/broadcast.ts'
import type { DB } from '../database/tables.ts'

/** Recipients by what became of them. Spec: Broadcasts › Outcome. */
export async function countBroadcast(
  db: Kysely<DB>,
  { id, total }: { id: string; total: number },
): Promise<BroadcastCounts> {
  const { rows } = await sql<{ outcome: keyof BroadcastCounts; count: number }>`
    select status as outcome, count(*)::int as count from message
    where broadcast_id = ${id} group by status
    union all
    select 'skipped', count(*)::int from broadcast_recipient
    where broadcast_id = ${id} and skip_reason is not null
    order by outcome`.execute(db)
  const counts: BroadcastCounts = {}
  let pending = total
  for (const { outcome, count } of rows) {
    if (count === 0) continue
    counts[outcome] = count
    pending -= count
  }
  return pending > 0 ? { pending, ...counts } : counts
}
