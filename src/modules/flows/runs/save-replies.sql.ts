import { sql, type Transaction } from 'kysely'
import {
  eagerClaimForRun,
  dispatchRunsAfterCommit,
  notifyAfterCommit,
  type EagerRun,
} from '../../../infra/database/after-commit.ts'
import { leaseEnd } from '../../../infra/database/queues/queue.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'

/** A customer's message that is a reply to a run. */
export type RunReply = {
  runId: string
  messageId: string
  accountId: string
  companyId: string
}

/**
 * Assigns customers' messages to runs and makes waiting runs due; a run with an effect in progress reads its message
 * later. Unclaimed runs get an eager claim, as far as this process has capacity. Messages of one run keep their order
 * of arrival, even within one transaction or after a clock change. The caller has locked the conversations. Returns
 * the ids of the assigned messages; a run that has ended gets none. Spec: Flows › Replies; reading F9.
 *
 * Isolation: the runs are locked in the order of their ids, those with an effect in progress only against being
 * ended. All are locked before any is made due, because a row that the statement itself has changed is not locked
 * again.
 */
export async function saveReplies(
  tx: Transaction<DB>,
  now: Date,
  replies: readonly RunReply[],
): Promise<ReadonlySet<string>> {
  if (replies.length === 0) return new Set()
  const runIds = replies.map(({ runId }) => runId)
  const claims = replies.map(({ accountId }) => eagerClaimForRun(tx, accountId))
  const leaseExpiresAt = leaseEnd(RUN_LIMITS, now)
  const { rows } = await sql<SavedReply>`
    with open as materialized (
      select id from flow_run where id = any(${runIds}::uuid[])
        and ended_at is null
      order by id for key share
    ), kept as (
      insert into flow_run_reply (run_id, message_id, company_id, received_at)
      select reply.*, greatest(${now}::timestamptz, (select max(received_at) + interval '1 microsecond'
        from flow_run_reply before where before.run_id = reply.run_id))
      from unnest(${runIds}::uuid[],
        ${replies.map(({ messageId }) => messageId)}::text[],
        ${replies.map(({ companyId }) => companyId)}::uuid[]) as reply (run_id, message_id, company_id)
        join open on open.id = reply.run_id
      returning run_id, message_id
    ), waiting as materialized (
      select id, company_id, conversation_id from flow_run where id = any(array(select id from open))
        and status = 'waiting' and wait_kind = 'reply'
      order by id for update
    ), due as (
      insert into run_queue (id, company_id, is_new, due_at, claim_id, lease_expires_at)
      select distinct on (waiting.id) waiting.id, company_id, false, ${now}::timestamptz, ours.claim_id,
        case when ours.claim_id is not null then ${leaseExpiresAt}::timestamptz end
      from waiting join unnest(${runIds}::uuid[], ${claims}::uuid[]) as ours (id, claim_id)
        on ours.id = waiting.id
      order by waiting.id
      on conflict (id) do update set due_at = excluded.due_at,
        claim_id = coalesce(run_queue.claim_id, excluded.claim_id),
        lease_expires_at = coalesce(run_queue.lease_expires_at, excluded.lease_expires_at)
      returning id, claim_id
    ), woken as (
      select id, (select account_id from company where company.id = company_id) as account_id,
        company_id, conversation_id, claim_id,
        coalesce(claim_id = any(${claims}::uuid[]), false) as is_ours
      from waiting join due using (id)
    )
    select kept.message_id, woken.* from kept left join woken on woken.id = kept.run_id
  `.execute(tx)
  const woken = rows.filter((row) => row.id !== null)
  dispatchRunsAfterCommit(
    tx,
    woken.flatMap(({ isOurs, id, accountId, companyId, conversationId, claimId }) =>
      isOurs ? [{ id, accountId, companyId, conversationId, claimId: claimId! }] : [],
    ),
  )
  if (woken.some(({ claimId }) => claimId === null)) notifyAfterCommit(tx, 'runs')
  return new Set(rows.map(({ messageId }) => messageId))
}

/** A saved reply, with the run that it made due, if any. */
type SavedReply = { messageId: string } & (WokenRun | { [Key in keyof WokenRun]: null })
type WokenRun = Omit<EagerRun, 'claimId'> & { claimId: string | null; isOurs: boolean }
