import { sql, type Kysely } from 'kysely'
import { byTurns } from '../database/by-turns.ts'
import { isClaimOf } from '../database/claiming-nodes.sql.ts'
import type { DB } from '../database/tables.ts'
import { REPLY_WORK } from '../limits/replies.ts'

export type ClaimedReply = {
  id: string
  accountId: string
  companyId: string
  conversationId: string
  claimId: string
}

/** Sorts before every company. */
export const FIRST_COMPANY = '00000000-0000-0000-0000-000000000000'

/** When the next reply is due, or the next lease ends. */
const DUE_AT = sql`least(
  (select min(wake_at) from assistant_reply
    where state in ('gathering', 'thinking', 'sending') and claim_id is null),
  (select min(claimed_until) from assistant_reply where claim_id is not null))`

/**
 * Takes due replies for this node, leased under the claim id: accounts in turn, and the companies of one within its
 * turns, of each the oldest due first. Companies after `after` are looked at, so many of them; `next` is where to go on, null at the end
 * of the round. `dueAt` is when the next one is due as it was before.
 *
 * Isolation: `skip locked` keeps two nodes from taking one reply. What is then done is written only while it
 * still carries the claim id.
 */
export async function claimReplies(
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
    /** Accounts whose replies are left for later. */
    without?: readonly string[]
    after?: string
  },
): Promise<{ replies: ClaimedReply[]; next: string | null; dueAt: Date | null }> {
  const isDue = sql`state in ('gathering', 'thinking', 'sending') and claim_id is null`
  const waiting = sql`
    select oldest.id, walked.id as company_id, oldest.wake_at as due_at
    from walked cross join lateral (select account_id from company where id = walked.id limit 1) company
      cross join lateral (
        select id, wake_at from assistant_reply
        where assistant_reply.company_id = walked.id and ${isDue} and wake_at <= ${now}
        order by wake_at limit ${limit}) oldest
    where account_id <> all (${without}::uuid[])`
  type Row = ClaimedReply & { next: string | null; dueAt: Date | null; isDueAt: boolean }
  const { rows } = await sql<Row>`
    with recursive walked (id, place) as (
      (select company_id, 1 from assistant_reply
        where ${isDue} and company_id > ${after} order by company_id limit 1)
      union all
      select (select company_id from assistant_reply
        where ${isDue} and company_id > walked.id order by company_id limit 1), place + 1
      from walked where walked.id is not null and place < ${REPLY_WORK.companiesPerClaim}
    ), picked as materialized (
      select reply.id from (${byTurns(waiting, limit)}) due
        cross join lateral (
          select id from assistant_reply
          where assistant_reply.id = due.id and ${isDue} and wake_at <= ${now}
          for update skip locked) reply
    ), claimed as (
      update assistant_reply
      set claim_id = ${claimId}, claimed_until = ${new Date(now.getTime() + REPLY_WORK.leaseMs)}
      where id = any(array(select id from picked))
      returning id, company_id, conversation_id, claim_id
    )
    select claimed.*, (select account_id from company where company.id = claimed.company_id),
      null::uuid as next, null::timestamptz as due_at, false as is_due_at
    from claimed
    union all
    select null, null, null, null, null, id, null, false from walked
    where id is not null and place = ${REPLY_WORK.companiesPerClaim}
    union all
    select null, null, null, null, null, null, ${DUE_AT}, true
  `.execute(db)
  return {
    replies: rows.filter(({ next, isDueAt }) => next === null && !isDueAt),
    next: rows.find(({ next }) => next !== null)?.next ?? null,
    dueAt: rows.find(({ isDueAt }) => isDueAt)?.dueAt ?? null,
  }
}

/** Gives back what a dead worker had claimed. Returns how many replies that were. */
export async function releaseExpiredReplies(db: Kysely<DB>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update assistant_reply set claim_id = null, claimed_until = null
    where claim_id is not null and claimed_until < ${now}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Gives back what nodes that died had claimed. Returns how many replies that were. */
export async function releaseRepliesOf(db: Kysely<DB>, nodes: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update assistant_reply set claim_id = null, claimed_until = null
    where claim_id is not null and ${isClaimOf(nodes)}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** When the next reply is due, or the next lease ends; null when nothing waits. */
export async function nextReplyDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select ${DUE_AT} as at`.execute(db)
  return rows[0]?.at ?? null
}

/** Gives back what this process had in hand and takes on no further. */
export async function giveBackReply(
  db: Kysely<DB>,
  { id, claimId }: Pick<ClaimedReply, 'id' | 'claimId'>,
): Promise<void> {
  await db
    .updateTable('assistantReply')
    .set({ claimId: null, claimedUntil: null })
    .where('id', '=', id)
    .where('claimId', '=', claimId)
    .execute()
}
