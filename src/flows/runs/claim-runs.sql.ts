import { sql, type Kysely } from 'kysely'
import { isClaimOf } from '../../database/claiming-nodes.sql.ts'
import type { DB } from '../../database/tables.ts'
import { RUN_LIMITS } from '../../limits/flows.ts'

export type ClaimedRun = {
  id: string
  accountId: string
  companyId: string
  conversationId: string
  claimId: string
}

/** Sorts before every company. */
export const FIRST_COMPANY = '00000000-0000-0000-0000-000000000000'

/**
 * Takes due runs for this node, leased for a minute under the claim id. Accounts take turns, and the companies of one
 * within its turns, of each the oldest due first: one run of an account is never behind the thousands of another. Beside
 * the queued ones those that were answered, whose wait has timed out or whose worker died: of the oldest so many.
 *
 * Companies after `after` are looked at, in their order, so many of them; `next` is where to go on, null at
 * the end of the round.
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
    after = FIRST_COMPANY,
  }: {
    claimId: string
    now: Date
    limit: number
    /** Accounts whose runs are left for later. */
    without?: readonly string[]
    after?: string
  },
): Promise<{ runs: ClaimedRun[]; next: string | null }> {
  const { rows } = await sql<ClaimedRun & { next: string | null }>`
    with recursive walked (id, place) as (
      (select company_id, 1 from flow_run
        where status = 'queued' and claim_id is null and company_id > ${after}
        order by company_id limit 1)
      union all
      select (select company_id from flow_run
        where status = 'queued' and claim_id is null and company_id > walked.id
        order by company_id limit 1), place + 1
      from walked where walked.id is not null and place < ${RUN_LIMITS.companiesPerClaim}
    ), oldest as (
      select queued.id, walked.id as company_id, account_id, queued.wake_at, false as is_woken
      from walked cross join lateral (select account_id from company where id = walked.id limit 1) company
        cross join lateral (
        select id, wake_at from flow_run
        where flow_run.company_id = walked.id and status = 'queued' and claim_id is null
          and wake_at <= ${now}
        order by wake_at limit ${limit}) queued
      where account_id <> all (${without}::uuid[])
      union all
      (select flow_run.id, company_id, account_id, wake_at, true from flow_run
          cross join lateral (select account_id from company where id = company_id limit 1) company
        where status in ('running', 'waiting') and claim_id is null and wake_at <= ${now}
          and account_id <> all (${without}::uuid[])
        order by wake_at limit ${RUN_LIMITS.wokenLookedAt}::int)
    ), of_company as (
      select id, wake_at, account_id,
        row_number() over (partition by company_id, is_woken order by wake_at) as nth
      from oldest
    ), due as (
      select id, wake_at,
        row_number() over (partition by account_id order by nth, wake_at) as of_account
      from of_company
    ), picked as materialized (
      select run.id from (select id from due order by of_account, wake_at limit ${limit}) due
        cross join lateral (
          select id from flow_run
          where flow_run.id = due.id and claim_id is null and wake_at <= ${now}
            and status in ('queued', 'running', 'waiting')
          for update skip locked) run
    ), claimed as (
      update flow_run
      set claim_id = ${claimId}, claimed_until = ${new Date(now.getTime() + RUN_LIMITS.leaseMs)}
      where id = any(array(select id from picked))
      returning id, company_id, conversation_id, claim_id
    )
    select claimed.*, (select account_id from company where company.id = claimed.company_id),
      null::uuid as next
    from claimed
    union all
    select null, null, null, null, null, id from walked
    where id is not null and place = ${RUN_LIMITS.companiesPerClaim}
  `.execute(db)
  return {
    runs: rows.filter(({ next }) => next === null),
    next: rows.find(({ next }) => next !== null)?.next ?? null,
  }
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
