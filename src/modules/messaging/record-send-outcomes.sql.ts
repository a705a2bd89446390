import { sql } from 'kysely'
import type { SendResult } from '../channels/channel-adapter.ts'
import { whyRefused } from '../channels/why-refused.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Database } from '../../infra/database/connect.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import { dropped } from '../files/drop-files.ts'
import { createBatcherPerDatabase } from '../../infra/database/batcher.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/** What came of a send. */
export type SettledSend = {
  id: string
  runId: string | null
  /** Of the assistant, that it is a part of. */
  replyId?: string | null
  result: SendResult
  /** When a send that the provider refused for now is tried again; null when it is not. */
  againAt: Date | null
  /** Under which this process takes the run on that waits for it. */
  runClaimId: string
  now: Date
}

/** A run that waited for its send, claimed for its next turn. */
export type ToldRun = {
  id: string
  accountId: string
  companyId: string
  conversationId: string
  claimId: string
  /** The provider took the message, whatever a receipt has told of it since. */
  wasAccepted: boolean
}

/**
 * When a refused send is tried again, where the provider may take it later and tries are left: not before the
 * provider says, where it does.
 */
export function triedAgainAt(result: SendResult, attempt: number, now: Date): Date | null {
  if (result.outcome !== 'refused') return null
  const isForNow = result.error.class === 'rate' || result.error.class === 'transient'
  const delayMs = RUN_LIMITS.sendRetryDelaysMs[attempt - 1]
  if (!isForNow || delayMs === undefined) return null
  const toldMs = Math.min(result.error.retryAfterMs ?? 0, SEND_LIMITS.retryAfterMostMs)
  return new Date(now.getTime() + Math.max(delayMs, toldMs))
}

/**
 * Writes what the provider answered, gives the places of a template back that it refused for good, and
 * claims the run that waits for it: its next turn follows at once. Null where nobody has it in hand, or
 * somebody has, who is told. What was given up meanwhile is not tried again. A receipt may have been quicker than the answer: a message that
 * has moved on keeps its status. Told twice, it counts once. Sends that end at the same time share a
 * statement.
 *
 * Isolation: the runs are locked before their messages, each in the order of ids, then the accounts'
 * days in their order; what a message's row says is looked at once it is locked.
 */
export const settleSend = createBatcherPerDatabase<
  Pick<Database, 'kysely'>,
  SettledSend,
  ToldRun | null
>({
  most: SEND_LIMITS.batch,
  isHalved: true,
  run: settleOnce,
})

/** What the provider took under an id that a message has already: alone, it is that message's send. */
async function settleOnce(
  db: Pick<Database, 'kysely'>,
  sends: readonly SettledSend[],
): Promise<(ToldRun | null)[]> {
  try {
    return await settleSends(db, sends)
  } catch (error) {
    const [only, ...others] = sends
    const isTaken = isUniqueViolation(error, 'message_channel_id_provider_message_id_key')
    if (!only || others.length > 0 || !isTaken) throw error
    await dropEchoOf(db, only)
    return settleSends(db, sends)
  }
}

/** An echo that was quicker, and reads otherwise than what was sent, was taken for the owner's: it is none. */
async function dropEchoOf(
  db: Pick<Database, 'kysely'>,
  { id, result, now }: SettledSend,
): Promise<void> {
  if (result.outcome !== 'accepted') return
  await oneStatement(db, (kysely) =>
    sql`
    with echo as (
      delete from message using message ours
      where ours.id = ${id} and message.channel_id = ours.channel_id and message.id <> ours.id
        and message.provider_message_id = ${cleanText(result.providerMessageId)}
        and message.direction = 'out' and message.sender = 'owner_app'
      returning message.file_id
    )
    update file set ${dropped(now)} where id in (select file_id from echo)`.execute(kysely),
  )
}

async function settleSends(
  db: Pick<Database, 'kysely'>,
  sends: readonly SettledSend[],
): Promise<(ToldRun | null)[]> {
  const errors = sends.map(({ result }) => (result.outcome === 'refused' ? result.error : null))
  const { now } = sends[0]!
  const leaseEndsAt = leaseEnd(RUN_LIMITS, now)
  const { rows } = await oneStatement(db, (kysely) =>
    sql<ToldRun>`
    with asked as materialized (
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
    ), runs as materialized (
      select id, company_id, conversation_id, status, wait_kind from flow_run where id = any(array(select run_id from asked)) order by id for update
    ), messages as materialized (
      select id, status in ('sending', 'unknown') as is_open, outbound is not null as may_be_again
      from message where id = any(array(select id from asked)) and (select count(*) from runs) >= 0
      order by id for update
    ), settled as (
      update message set
        provider_message_id = coalesce(message.provider_message_id, asked.provider_id),
        status = case when messages.is_open then asked.status else message.status end,
        failed_at = case when messages.is_open and asked.status = 'failed' then ${now}
          else message.failed_at end,
        error_code = case when messages.is_open then asked.code else message.error_code end,
        error_detail = case when messages.is_open then asked.detail else message.error_detail end,
        due_at = case when messages.is_open and messages.may_be_again then asked.again_at
          when not messages.is_open then message.due_at end,
        outbound = case when messages.is_open and asked.again_at is null then null
          else message.outbound end,
        claim_id = null, lease_expires_at = null
      from asked join messages on messages.id = asked.id
      where message.id = asked.id
      returning message.id, message.run_id,
        asked.status = 'accepted' as was_accepted,
        messages.is_open and message.status = 'failed' and message.due_at is null as is_refused
    ), released as (
      delete from template_send using settled
      where template_send.message_id = settled.id and settled.is_refused
      returning account_id, (sent_at at time zone 'UTC')::date as day
    ), days as materialized (
      select account_id, day from template_day
      where (account_id, day) in (select account_id, day from released)
      order by account_id, day for update
    ), given_back as (
      update template_day set sent = template_day.sent - gone.places
      from (select account_id, day, count(*) as places from released group by account_id, day) gone
        join days using (account_id, day)
      where template_day.account_id = gone.account_id and template_day.day = gone.day
    ), replies as (
      update assistant_reply set due_at = ${now}
      where id = any(${sends.map(({ replyId }) => replyId ?? null)}::uuid[]) and state = 'sending'
        and (select count(*) from settled) > 0
    ), told as (
      insert into run_queue (id, company_id, is_new, due_at, claim_id, lease_expires_at)
      select distinct on (runs.id) runs.id, company_id, false, ${now}::timestamptz, run_claim,
        ${leaseEndsAt}::timestamptz
      from asked join runs on runs.id = run_id
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
        where settled.run_id = told.id) as was_accepted
    from told join runs using (id)
  `.execute(kysely),
  )
  const told = new Map(rows.map((run) => [run.claimId, run]))
  return sends.map(({ runClaimId }) => told.get(runClaimId) ?? null)
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
