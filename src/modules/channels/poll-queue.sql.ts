import { sql, type Kysely, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { dueUnlessMoved, type Queue } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { POLL_LIMITS } from '../../core/limits/messaging.ts'

/** A channel whose poll this process has claimed. */
export type ClaimedPoll = {
  id: string
  channelId: string
  accountId: string
  companyId: string
  claimId: string
  /** The number of consecutive polls that failed for any reason, which delays the next one. */
  failureCount: number
  /** The number of consecutive polls whose credentials the provider refused. */
  refusalCount: number
}

/** The queue of channels that are polled. */
export const POLL_QUEUE: Queue<ClaimedPoll> = {
  name: 'channels that are polled',
  table: 'channel_poll',
  key: 'channel_id',
  due: 'due_at',
  leaseMs: POLL_LIMITS.leaseMs,
  waits: sql`exists (select from channel
    where channel.id = channel_poll.channel_id and is_connected and deleted_at is null)`,
  byTime: {},
  companyId: sql`(select company_id from channel where channel.id = channel_poll.channel_id)`,
  movesDue: true,
  columns: sql`channel_id as id, channel_id, claim_id, failure_count, refusal_count,
    (select company_id from channel where channel.id = channel_poll.channel_id) as company_id`,
}

/** Starts polling the channel, immediately after the commit. */
export async function beginPolling(
  tx: Transaction<DB>,
  channelId: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into channel_poll (channel_id, due_at) values (${channelId}, ${now})
    on conflict (channel_id) do update set due_at = excluded.due_at, failure_count = 0,
      refusal_count = 0`.execute(tx)
  notifyAfterCommit(tx, 'polls')
}

/**
 * Records the outcome of a poll and releases its claim: the next poll is at `dueAt`, or earlier when polling was
 * restarted meanwhile. Shows `problem` with the channel, or clears it. Returns false when the claim was lost.
 */
export async function recordPollOutcome(
  db: Kysely<DB>,
  { channelId, claimId }: Pick<ClaimedPoll, 'channelId' | 'claimId'>,
  {
    dueAt,
    failureCount,
    refusalCount,
    problem,
  }: Pick<ClaimedPoll, 'failureCount' | 'refusalCount'> & { dueAt: Date; problem: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with settled as (
      update channel_poll set claim_id = null, lease_expires_at = null, failure_count = ${failureCount},
        refusal_count = ${refusalCount},
        ${dueUnlessMoved(POLL_QUEUE, dueAt)}
      where channel_id = ${channelId} and claim_id = ${claimId}
      returning channel_id
    ), shown as (
      update channel set problem = ${problem}
      where id in (select channel_id from settled) and problem is distinct from ${problem}
    )
    select channel_id as id from settled`.execute(db)
  return rows.length > 0
}
