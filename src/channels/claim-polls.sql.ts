import { sql, type Kysely, type Transaction } from 'kysely'
import { byTurns } from '../database/by-turns.ts'
import { isClaimOf } from '../database/claiming-nodes.sql.ts'
import { noteWork } from '../database/commit-notes.ts'
import type { DB } from '../database/tables.ts'
import { POLL_LIMITS } from '../limits/messaging.ts'

/** A channel whose provider a process is asking. */
export type PollInHand = { channelId: string; companyId: string; claimId: string; faults: number }

/** From the commit on the provider of this channel is asked, at once. */
export async function beginPolling(
  tx: Transaction<DB>,
  channelId: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into channel_poll (channel_id, due_at) values (${channelId}, ${now})
    on conflict (channel_id) do update set due_at = excluded.due_at, faults = 0`.execute(tx)
  noteWork(tx, 'polls')
}

/**
 * Takes connected channels whose provider is to be asked, leased under the claim id: accounts in turn, of each the
 * longest due. A claim whose lease has ended counts no more.
 *
 * Isolation: one statement at read committed; `skip locked` keeps two nodes from taking one channel.
 */
export async function claimPolls(
  db: Kysely<DB>,
  { claimId, now, limit }: { claimId: string; now: Date; limit: number },
): Promise<PollInHand[]> {
  const until = new Date(now.getTime() + POLL_LIMITS.leaseMs)
  const { rows } = await sql<PollInHand>`
    update channel_poll set claim_id = ${claimId}, claimed_until = ${until}, due_at = ${until}
    from channel
    where channel.id = channel_poll.channel_id and channel_id in (
      select channel_id from channel_poll
      where due_at <= ${now} and claim_id is null and channel_id = any(array(
        ${byTurns(
          sql`select channel_id as id, company_id, due_at
            from channel_poll join channel on channel.id = channel_id
            where due_at <= ${now} and claim_id is null and is_connected and deleted_at is null`,
          limit,
        )}))
      for no key update skip locked)
    returning channel_id, company_id, claim_id, faults`.execute(db)
  return rows
}

/**
 * Ends a claim: the provider is asked again at `dueAt`, or before where somebody began it anew. What keeps its news away is told with the
 * channel, and no more once nothing does. False where the claim was another's by now.
 */
export async function settlePoll(
  db: Kysely<DB>,
  { channelId, claimId }: Pick<PollInHand, 'channelId' | 'claimId'>,
  { dueAt, faults, problem }: { dueAt: Date; faults: number; problem: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with settled as (
      update channel_poll set claim_id = null, claimed_until = null, faults = ${faults},
        due_at = case when due_at = claimed_until then ${dueAt} else due_at end
      where channel_id = ${channelId} and claim_id = ${claimId}
      returning channel_id
    ), told as (
      update channel set problem = ${problem}
      where id in (select channel_id from settled) and problem is distinct from ${problem}
    )
    select channel_id as id from settled`.execute(db)
  return rows.length > 0
}

/** Gives back what was claimed until a time or before. Returns how many channels that were. */
export function releaseExpiredPolls(db: Kysely<DB>, now: Date, before = now): Promise<number> {
  return release(db, now, sql`claim_id is not null and claimed_until <= ${before}`)
}

/** Gives back what nodes that died had claimed. Returns how many channels that were. */
export function releasePollsOf(
  db: Kysely<DB>,
  nodes: readonly string[],
  now: Date,
): Promise<number> {
  return release(db, now, sql`claim_id is not null and ${isClaimOf(nodes)}`)
}

async function release(db: Kysely<DB>, now: Date, isLost: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await sql`
    update channel_poll set claim_id = null, claimed_until = null, due_at = least(due_at, ${now})
    where channel_id in (
      select channel_id from channel_poll where ${isLost} order by channel_id for update skip locked)
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** When a provider is asked next, or the next lease ends; null when no channel waits. */
export async function nextPollDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(due_at) from channel_poll join channel on channel.id = channel_id
        where claim_id is null and is_connected and deleted_at is null),
      (select min(claimed_until) from channel_poll where claim_id is not null)
    ) as at`.execute(db)
  return rows[0]?.at ?? null
}
