import { sql, type Kysely } from 'kysely'
import { isClaimOf } from '../database/claiming-nodes.sql.ts'
import type { DB } from '../database/tables.ts'
import { RUN_LIMITS } from '../limits.ts'

export type ClaimedRun = { id: string; companyId: string; conversationId: string; claimId: string }

/**
 * Takes due runs for this node, the oldest due first, leased for a minute under the claim id: queued
 * ones, answered ones, ones whose wait has timed out, and ones whose worker died.
 *
 * Isolation: `skip locked` keeps two nodes from taking one run. What the run then does is written
 * only while it still carries the claim id.
 */
export async function claimRuns(
  db: Kysely<DB>,
  {
    claimId,
    now,
    limit,
    without = [],
  }: {
    claimId: string
    now: Date
    limit: number
    /** Companies whose runs are left for later. */
    without?: readonly string[]
  },
): Promise<ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`
    with picked as (
      select id from flow_run
      where status in ('queued', 'running', 'waiting') and claim_id is null and wake_at <= ${now}
        and company_id <> all (${without}::uuid[])
      order by wake_at limit ${limit} for update skip locked
    )
    update flow_run
    set claim_id = ${claimId}, claimed_until = ${new Date(now.getTime() + RUN_LIMITS.leaseMs)}
    from picked where flow_run.id = picked.id
    returning flow_run.id, flow_run.company_id, flow_run.conversation_id, flow_run.claim_id
  `.execute(db)
  return rows
}

/** Gives back what a dead worker had claimed. Returns how many runs that were. */
export async function releaseExpiredRuns(db: Kysely<DB>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update flow_run set claim_id = null, claimed_until = null
    where claim_id is not null and claimed_until < ${now}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Gives back what nodes that died had claimed. Returns how many runs that were. */
export async function releaseRunsOf(db: Kysely<DB>, nodes: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update flow_run set claim_id = null, claimed_until = null
    where claim_id is not null and ${isClaimOf(nodes)}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** When the next run is due, or the next lease ends; null when nothing waits. */
export async function nextRunDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(wake_at) from flow_run
        where status in ('queued', 'running', 'waiting') and claim_id is null),
      (select min(claimed_until) from flow_run where claim_id is not null)
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}
