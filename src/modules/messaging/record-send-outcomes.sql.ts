import { sql } from 'kysely'
import type { SendResult } from '../channels/channel-adapter.ts'
import { whyRefused } from '../channels/why-refused.ts'
import { leaseEnd, type ClaimedJob } from '../../infra/database/queues/queue.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Database } from '../../infra/database/connect.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import { markDropped } from '../files/drop-files.ts'
import { createBatcherPerDatabase } from '../../infra/database/batcher.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/** A send with its outcome. */
export type SettledSend = {
  id: string
  runId: string | null
  /** The assistant's reply that the message is a part of. */
  replyId?: string | null
  result: SendResult
  /** The time of the retry of a temporarily refused send; null without a retry. */
  againAt: Date | null
  /** The claim under which this process continues the waiting run. */
  runClaimId: string
  now: Date
}

/** A run that waited for its send, claimed for its next advance. */
export type ResumableRun = ClaimedJob & {
  /** States whether the provider accepted the message, whatever receipts followed. */
  wasAccepted: boolean
}

/**
 * Returns when a temporarily refused send is retried, not before the provider's `Retry-After`. Returns null for another
 * outcome, and when no try is left.
 * @param attempt the number of the send that ended, from 1
 */
export function sendRetryAt(result: SendResult, attempt: number, now: Date): Date | null {
  if (result.outcome !== 'refused') return null
  const isForNow = result.error.class === 'rate' || result.error.class === 'transient'
  const delayMs = RUN_LIMITS.sendRetryDelaysMs[attempt - 1]
  if (!isForNow || delayMs === undefined) return null
  const retryAfterMs = Math.min(result.error.retryAfterMs ?? 0, SEND_LIMITS.maxRetryAfterMs)
  return new Date(now.getTime() + Math.max(delayMs, retryAfterMs))
}

/**
 * Records a send's outcome, releases the template allowances of a refused one, and claims the waiting run, which
 * advances next. Returns null when no run waits or another process has claimed it. An abandoned message is not
 * retried. A receipt may have arrived first: a message that moved on keeps its status. Idempotent. Sends that end at
 * the same time share a statement.
 *
 * Isolation: the runs are locked in the order of ids before their messages are updated, then the accounts' days in
 * their order. The messages are not locked first, as in `recordSimpleReceipts`. A message that another transaction has
 * just changed is evaluated as it is then.
 */
export const settleSend = createBatcherPerDatabase<
  Pick<Database, 'kysely'>,
  SettledSend,
  ResumableRun | null
>({
  maxSize: SEND_LIMITS.batch,
  bisectOnError: true,
  run: settleOnce,
})

/** Records outcomes. When a single send's provider id is taken by another message, deletes that echo and retries. */
async function settleOnce(
  db: Pick<Database, 'kysely'>,
  sends: readonly SettledSend[],
): Promise<(ResumableRun | null)[]> {
  try {
    return await settleSends(db, sends)
  } catch (error) {
    const [only, ...others] = sends
    const isTaken = isUniqueViolation(error, 'message_provider_id')
    if (!only || others.length > 0 || !isTaken) throw error
    await deleteEchoOf(db, only)
    return settleSends(db, sends)
  }
}

/** Deletes an early echo with a different text, which had been attributed to the owner. */
async function deleteEchoOf(
  db: Pick<Database, 'kysely'>,
  { id, result, now }: SettledSend,
): Promise<void> {
  if (result.outcome !== 'accepted') return
  await oneStatement(db, (kysely) =>
    sql`
    with echo as (
      delete from message using message own
      where own.id = ${id} and message.channel_id = own.channel_id and message.id <> own.id
        and message.provider_message_id = ${cleanText(result.providerMessageId)}
        and message.direction = 'out' and message.sender = 'owner_app'
      returning message.file_id
    )
    update file set ${markDropped(now)} where id in (select file_id from echo)`.execute(kysely),
  )
}

/** The outcome of the message's send is not known yet. */
const IS_OPEN = sql`(message.status in ('sending', 'unknown'))`

async function settleSends(
  db: Pick<Database, 'kysely'>,
  sends: readonly SettledSend[],
): Promise<(ResumableRun | null)[]> {
  const errors = sends.map(({ result }) => (result.outcome === 'refused' ? result.error : null))
  const { now } = sends[0]!
  const leaseEndsAt = leaseEnd(RUN_LIMITS, now)
  const { rows } = await oneStatement(db, (kysely) =>
    sql<ResumableRun>`
    with requested as materialized (
      select * from unnest(
        ${sends.map(({ id }) => id)}::text[],
        ${sends.map(({ runId }) => runId)}::uuid[],
        ${sends.map(statusOf)}::text[],
        ${sends.map(({ result }) => (result.outcome === 'accepted' ? cleanText(result.providerMessageId) : null))}::text[],
        ${errors.map((error) => error && cleanText(error.code))}::text[],
        ${errors.map((error) => error && serializeFact(whyRefused(error)))}::text[],
        ${sends.map(({ againAt }) => againAt)}::timestamptz[],
        ${sends.map(({ runClaimId }) => runClaimId)}::uuid[]
      ) as sent (id, run_id, status, provider_id, code, detail, again_at, run_claim)
      order by id
    ), runs as materialized (
      select id, company_id, conversation_id, status, wait_kind from flow_run where id = any(array(select run_id from requested)) order by id for update
    ), settled as (
      update message set
        provider_message_id = coalesce(message.provider_message_id, requested.provider_id),
        status = case when ${IS_OPEN} then requested.status else message.status end,
        failed_at = case when ${IS_OPEN} and requested.status = 'failed' then ${now}
          else message.failed_at end,
        error_code = case when ${IS_OPEN} then requested.code else message.error_code end,
        error_detail = case when ${IS_OPEN} then requested.detail else message.error_detail end,
        due_at = case when not ${IS_OPEN} then message.due_at
          when message.outbound is not null then requested.again_at end,
        outbound = case when ${IS_OPEN} and requested.again_at is null then null
          else message.outbound end,
        claim_id = null, lease_expires_at = null
      from requested
      where message.id = requested.id and message.id = any(array(select id from requested))
        and (select count(*) from runs) >= 0
      returning message.id, message.run_id,
        requested.status = 'accepted' as was_accepted,
        requested.status = 'failed' and message.status = 'failed' and message.due_at is null
          as is_refused
    ), released as (
      delete from template_send using settled
      where template_send.message_id = settled.id and settled.is_refused
      returning account_id, (sent_at at time zone 'UTC')::date as day
    ), days as materialized (
      select account_id, day from template_day
      where (account_id, day) in (select account_id, day from released)
      order by account_id, day for update
    ), quota as (
      update template_day set sent = template_day.sent - gone.slots
      from (select account_id, day, count(*) as slots from released group by account_id, day) gone
        join days using (account_id, day)
      where template_day.account_id = gone.account_id and template_day.day = gone.day
    ), replies as (
      update assistant_reply set due_at = ${now}
      where id = any(${sends.map(({ replyId }) => replyId ?? null)}::uuid[]) and state = 'sending'
        and (select count(*) from settled) > 0
    ), resumed as (
      insert into run_queue (id, company_id, is_new, due_at, claim_id, lease_expires_at)
      select distinct on (runs.id) runs.id, company_id, false, ${now}::timestamptz, run_claim,
        ${leaseEndsAt}::timestamptz
      from requested join runs on runs.id = run_id
      where (runs.status = 'running' or wait_kind = 'sent') and (select count(*) from settled) > 0
      order by runs.id
      on conflict (id) do update set due_at = excluded.due_at,
        claim_id = coalesce(run_queue.claim_id, excluded.claim_id),
        lease_expires_at = coalesce(run_queue.lease_expires_at, excluded.lease_expires_at)
      returning id, claim_id
    )
    select id, (select account_id from company where company.id = company_id) as account_id,
      company_id, conversation_id, claim_id,
      (select coalesce(bool_or(settled.was_accepted), false) from settled
        where settled.run_id = resumed.id) as was_accepted
    from resumed join runs using (id)
  `.execute(kysely),
  )
  const resumed = new Map(rows.map((run) => [run.claimId, run]))
  return sends.map(({ runClaimId }) => resumed.get(runClaimId) ?? null)
}

function statusOf({ result }: SettledSend): string {
  switch (result.outcome) {
    case 'accepted':
      return 'accepted'
    case 'refused':
      return 'failed'
    case 'unknown':
      return 'unknown'
  }
}
