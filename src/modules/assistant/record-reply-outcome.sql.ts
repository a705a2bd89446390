import { sql, type Kysely, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { isSince, leaseEnd, type Since } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { REPLY_OF_ASSISTANT, REPLY_WORK } from '../../core/limits/replies.ts'
import { insertUsage } from '../models/record-usage.ts'
import { noPendingWrites } from './record-steps.ts'
import type { LoadedReply, ReplyRow, StepRow } from './reply.ts'
import type { ReplyContext } from './reply-context.ts'

type Left = Pick<ReplyRow, 'dueAt' | 'claimId' | 'leaseExpiresAt'>
type Ended = Pick<ReplyRow, 'state' | 'endReason' | 'detail' | 'endedAt'>

/** Saves the changed state of a reply that stays claimed, with a renewed lease. */
export async function saveReply(
  tx: Transaction<DB>,
  loaded: LoadedReply,
  now: Date,
): Promise<void> {
  const { dueAt, claimId } = loaded.reply
  const leaseExpiresAt = leaseEnd(REPLY_WORK, now)
  await writeAdvance(tx, loaded, now, { dueAt, claimId, leaseExpiresAt }, null)
}

/** Saves the changed state of a reply that now waits, and releases its claim. */
export async function saveIdleReply(
  tx: Transaction<DB>,
  loaded: LoadedReply,
  now: Date,
  dueAt: Date,
): Promise<void> {
  await writeAdvance(tx, loaded, now, { dueAt, claimId: null, leaseExpiresAt: null }, null)
}

/**
 * Ends a reply in its final state, with the reason. Messages that arrived meanwhile and that the model has not seen
 * start the next one in the same transaction.
 */
export async function endReply(
  { tx, deps, loaded, now }: ReplyContext,
  state: 'sent' | 'not_sent' | 'unknown' | 'cancelled' | 'handed_over' | 'failed',
  why: Fact,
  detail: string | null = null,
): Promise<void> {
  const { reply, settings } = loaded
  const left = { dueAt: null, claimId: null, leaseExpiresAt: null }
  await writeAdvance(tx, loaded, now, left, {
    state,
    endReason: serializeFact(why),
    detail,
    endedAt: now,
  })
  const goesOn = state === 'sent' || state === 'unknown'
  if (!goesOn || reply.lastMessageId === reply.answeredMessageId) return
  const { companyId, conversationId, lastMessageId, notedAt } = reply
  const quietUntil = notedAt.getTime() + (settings?.debounceMs ?? 0)
  const debounceUntil = new Date(Math.max(now.getTime(), quietUntil))
  await tx
    .insertInto('assistantReply')
    .values({
      id: deps.ids.uuid(),
      companyId,
      conversationId,
      state: 'gathering',
      debounceUntil,
      debounceMaxAt: new Date(now.getTime() + REPLY_OF_ASSISTANT.maxDebounceMs),
      dueAt: debounceUntil,
      firstMessageId: firstMessageAfterAnswered(reply),
      lastMessageId,
      notedAt,
      startedAt: now,
    })
    .execute()
  notifyAfterCommit(tx, 'replies')
}

/** Returns the SQL query of the oldest message that arrived since the messages that a reply answers. */
export function firstMessageAfterAnswered({
  conversationId,
  answeredMessageId,
  lastMessageId,
}: ReplyRow) {
  return sql<string>`coalesce((
    select id from message
    where conversation_id = ${conversationId} and direction = 'in' and not is_imported
      and arrival > (select arrival from message where id = ${answeredMessageId})
    order by arrival limit 1), ${lastMessageId})`
}

/**
 * Writes the changes of an advance in one statement: steps, new instruction parts, the conversation's language, model
 * usage and the reply. At its end, drafts that were never stated are withdrawn, so that they can no longer be agreed
 * to.
 *
 * Isolation: the caller has locked the conversation and the reply, which owns the steps. Every transaction locks the
 * account's day last.
 */
async function writeAdvance(
  tx: Transaction<DB>,
  { reply, pending }: LoadedReply,
  now: Date,
  { dueAt, claimId, leaseExpiresAt }: Left,
  ended: Ended | null,
): Promise<void> {
  const { id, companyId } = reply
  const { closed, added, promptParts, language, used } = pending
  const ofClosed = <Key extends keyof StepRow>(key: Key) => closed.map((step) => step[key])
  const of = <Key extends keyof StepRow>(key: Key) => added.map((step) => step[key])
  // The state is only needed while models may still be called.
  const carried = ended === null && reply.state !== 'sending' ? reply.carried : null
  const isWithdrawn = ended !== null && reply.state !== 'gathering'
  await sql`
    with closed as (
      update assistant_step set state = step.state, name = step.name, result = step.result, data = step.data,
        tokens_in = step.tokens_in, tokens_out = step.tokens_out, failure = step.failure,
        ended_at = step.ended_at
      from unnest(${ofClosed('epoch')}::int[], ${ofClosed('number')}::int[],
        ${ofClosed('state')}::text[], ${ofClosed('name')}::text[], ${ofClosed('result')}::text[],
        ${ofClosed('data')}::text[], ${ofClosed('tokensIn')}::int[], ${ofClosed('tokensOut')}::int[],
        ${ofClosed('failure')}::text[], ${ofClosed('endedAt')}::timestamptz[])
        as step (epoch, number, state, name, result, data, tokens_in, tokens_out, failure, ended_at)
      where reply_id = ${id} and assistant_step.epoch = step.epoch
        and assistant_step.number = step.number
    ), added as (
      insert into assistant_step (reply_id, company_id, epoch, number, kind, state, name, input, result,
        data, tokens_in, tokens_out, failure, started_at, ended_at)
      select ${id}::uuid, ${companyId}::uuid, * from unnest(${of('epoch')}::int[],
        ${of('number')}::int[], ${of('kind')}::text[], ${of('state')}::text[], ${of('name')}::text[],
        ${of('input')}::text[], ${of('result')}::text[], ${of('data')}::text[],
        ${of('tokensIn')}::int[], ${of('tokensOut')}::int[], ${of('failure')}::text[],
        ${of('startedAt')}::timestamptz[], ${of('endedAt')}::timestamptz[]) as step
    ), kept as (
      insert into prompt_part (company_id, sha256, text, last_used_at)
      select ${companyId}::uuid, sha256, text, ${now}::timestamptz
      from unnest(${promptParts.map(({ sha256 }) => sha256)}::bytea[],
        ${promptParts.map(({ text }) => text)}::text[]) as part (sha256, text)
      on conflict (company_id, sha256) do update set last_used_at = excluded.last_used_at
        where prompt_part.last_used_at < excluded.last_used_at - interval '1 hour'
    ), spoken as (
      update conversation set language = ${language}::text
      where id = ${reply.conversationId} and ${language}::text is not null
    ), withdrawn as (
      update action_proposal set state = 'withdrawn', withdrawn_because = 'not_stated',
        ended_at = ${now}
      where ${isWithdrawn}::boolean and company_id = ${companyId} and drafted_by = ${id}
        and state = 'drafted'
    ), used as (${insertUsage(used)})
    update assistant_reply set state = ${ended?.state ?? reply.state}, thinking_at = ${reply.thinkingAt},
      heard_at = ${reply.heardAt}, answered_message_id = ${reply.answeredMessageId},
      has_effect = ${reply.hasEffect}, parts = ${reply.parts}, carried = ${carried},
      model_requests = ${reply.modelRequests}, tokens_in = ${reply.tokensIn},
      tokens_out = ${reply.tokensOut}, completes_on_accept = ${reply.completesOnAccept}, failure_count = 0,
      due_at = ${dueAt}, claim_id = ${claimId}, lease_expires_at = ${leaseExpiresAt},
      end_reason = ${ended?.endReason ?? null}, detail = ${ended?.detail ?? null},
      ended_at = ${ended?.endedAt ?? null}
    where id = ${id}`.execute(tx)
  Object.assign(pending, noPendingWrites())
}

/**
 * Ends all replies whose last part the provider has accepted and that have nothing left to do. Returns whether other
 * sending replies are due, which need an advance. Replies that were due before `since` are not read.
 *
 * Isolation: skips conversations and replies that another transaction has locked. Replies are evaluated once locked;
 * an acceptance is never reverted.
 */
export async function endSentReplies(
  db: Kysely<DB>,
  now: Date,
  { why, since = null }: { why: Fact; since?: Since },
): Promise<boolean> {
  const { rows } = await sql<{ isLeft: boolean }>`
    with due as materialized (
      select id, conversation_id, completes_on_accept from assistant_reply
      where state = 'sending' and claim_id is null and due_at <= ${now} ${isSince(sql`due_at`, since)}
      order by due_at limit ${REPLY_WORK.endedPerBatch}
    ), held as materialized (
      select id from conversation
      where id = any(array(select conversation_id from due where completes_on_accept))
      order by id for update skip locked
    ), taken as materialized (
      select reply.id from held cross join lateral (
        select id from assistant_reply
        where conversation_id = held.id and state = 'sending' and completes_on_accept
          and claim_id is null and last_message_id = answered_message_id
        for update skip locked) reply
    ), settled as (
      update assistant_reply set state = 'sent', end_reason = ${serializeFact(why)}, ended_at = ${now},
        due_at = null, failure_count = 0
      where id = any(array(select id from taken))
        and (select status from message where message.reply_id = assistant_reply.id
          order by arrival desc limit 1)
          in ('accepted', 'sent', 'delivered', 'read')
      returning id
    )
    select (select count(*) from due) = ${REPLY_WORK.endedPerBatch}::int
      or exists (select from due where id not in (select id from settled)) as is_left`.execute(db)
  return rows[0]!.isLeft
}
