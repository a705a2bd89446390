import { sql, type Selectable, type Transaction } from 'kysely'
import { whyRefused } from '../channels/why-refused.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Receipt } from '../channels/inbound.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB, Message as MessageTable } from '../../infra/database/tables.ts'
import { SENT_MESSAGE_STATUSES, type SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { makeRunsDue } from './wake-runs.sql.ts'

export type MessageRow = Selectable<MessageTable>

/** The sent message that a receipt names. */
export type NamedMessage = {
  id: string
  conversationId: string
  runId: string | null
  occurredAt: Date
}

/** Receipts come late, twice and out of order: a message only moves to the right in this list. */
const ORDER: readonly SentMessageStatus[] = SENT_MESSAGE_STATUSES

const NO_FAILURE = { failedAt: null, errorCode: null, errorDetail: null }
/** What went out after all is not tried again. */
const NOT_AGAIN = { dueAt: null, outbound: null }

/**
 * The sent messages that receipts name, in their order: by the provider's id or, when the answer to our
 * send was lost, by the reference that we gave. Null for what is none of ours.
 */
export async function findMessagesOfReceipts(
  tx: Transaction<DB>,
  receipts: readonly { channelId: string; receipt: Receipt }[],
): Promise<(NamedMessage | null)[]> {
  const { rows } = await sql<NamedMessage & { place: string }>`
    select asked.place, found.id, found.conversation_id, found.run_id, found.occurred_at
    from unnest(${receipts.map(({ channelId }) => channelId)}::uuid[],
        ${receipts.map(({ receipt }) => receipt.providerMessageId)}::text[],
        ${receipts.map(({ receipt }) => receipt.ourReference ?? null)}::text[])
        with ordinality as asked (channel_id, provider_message_id, our_reference, place)
      cross join lateral (
        select id, conversation_id, run_id, occurred_at from message by_provider
        where by_provider.channel_id = asked.channel_id
          and by_provider.provider_message_id = asked.provider_message_id
          and by_provider.direction = 'out'
        union all
        select id, conversation_id, run_id, occurred_at from message by_reference
        where by_reference.id = asked.our_reference
          and by_reference.channel_id = asked.channel_id
          and by_reference.provider_message_id is null and by_reference.direction = 'out'
        limit 1
      ) found`.execute(tx)
  const found = new Map(rows.map(({ place, ...named }) => [Number(place) - 1, named]))
  // Where one of them tells the provider's id of a message, those beside it know the message by that.
  const nameOf = ({ channelId, receipt }: (typeof receipts)[number]) =>
    `${channelId} ${receipt.providerMessageId}`
  const byName = new Map([...found].map(([place, named]) => [nameOf(receipts[place]!), named]))
  return receipts.map((one, place) => found.get(place) ?? byName.get(nameOf(one)) ?? null)
}

/**
 * Moves sent messages on by the provider's receipts: all of one message are folded, in their order, into
 * one change. A message whose answer was lost learns its provider id here. Runs that wait for the outcome of a send are due at once, and
 * so are those that wait for a reply when a message of theirs did not arrive.
 * Gives the messages that are different now. The conversations are locked by the caller.
 *
 * Isolation: the runs are locked before their messages, each in the order of ids.
 */
export async function recordReceipts(
  tx: Transaction<DB>,
  now: Date,
  receipts: readonly { messageId: string; runId: string | null; receipt: Receipt }[],
): Promise<readonly MessageRow[]> {
  if (receipts.length === 0) return []
  const { rows } = await sql<MessageRow>`
    with runs as materialized (
      select id from flow_run where id = any(${receipts.flatMap(({ runId }) => runId ?? [])}::uuid[])
      order by id for update
    )
    select * from message where id = any(${receipts.map(({ messageId }) => messageId)}::text[])
      and (select count(*) from runs) >= 0
    order by id for update`.execute(tx)
  const byMessage = Map.groupBy(receipts, ({ messageId }) => messageId)
  const moved = rows.flatMap((row) => {
    const after = byMessage
      .get(row.id)!
      .reduce((before, { receipt }) => afterReceipt(before, receipt), row)
    return after === row ? [] : [after]
  })
  if (moved.length > 0) await writeMoved(tx, now, moved)
  return moved
}

/** The message as it is after a receipt; the very same where that tells nothing new. */
export function afterReceipt(before: MessageRow, receipt: Receipt): MessageRow {
  const isForward = movesOn(before, receipt.status)
  if (!isForward && before.providerMessageId !== null) return before
  const { providerMessageId } = receipt
  if (!isForward) return { ...before, providerMessageId }
  return {
    ...before,
    providerMessageId,
    status: receipt.status,
    ...NO_FAILURE,
    ...NOT_AGAIN,
    ...stamp(receipt, before),
  }
}

function movesOn(before: MessageRow, status: Receipt['status']): boolean {
  const current = before.status as SentMessageStatus
  // What reached the customer cannot have failed.
  if (status === 'failed' && (current === 'delivered' || current === 'read')) return false
  // Refused at the send, by the provider's word, and yet it went out.
  const isRefusal = current === 'failed' && before.providerMessageId === null
  return isRefusal || ORDER.indexOf(status) > ORDER.indexOf(current)
}

function stamp(receipt: Receipt, before: MessageRow) {
  switch (receipt.status) {
    case 'sent':
      return { sentAt: receipt.at }
    case 'delivered':
      return { sentAt: before.sentAt ?? receipt.at, deliveredAt: receipt.at }
    case 'read':
      // A read message was delivered, whether or not the provider said so.
      return {
        sentAt: before.sentAt ?? receipt.at,
        deliveredAt: before.deliveredAt ?? receipt.at,
        readAt: receipt.at,
      }
    case 'failed':
      return {
        failedAt: receipt.at,
        errorCode: receipt.error?.code ?? null,
        errorDetail: receipt.error ? serializeFact(whyRefused(receipt.error)) : null,
      }
  }
}

async function writeMoved(
  tx: Transaction<DB>,
  now: Date,
  moved: readonly MessageRow[],
): Promise<void> {
  const undelivered = moved.flatMap(({ status, runId }) => (status === 'failed' && runId) || [])
  const { numAffectedRows = 0n } = await sql`
    with moved as (update message set provider_message_id = told.provider_message_id, status = told.status,
      sent_at = told.sent_at, delivered_at = told.delivered_at, read_at = told.read_at,
      failed_at = told.failed_at, error_code = told.error_code, error_detail = told.error_detail,
      due_at = told.due_at, outbound = told.outbound
    from unnest(${moved.map((row) => row.id)}::text[],
      ${moved.map((row) => row.providerMessageId)}::text[],
      ${moved.map((row) => row.status)}::text[],
      ${moved.map((row) => row.sentAt)}::timestamptz[],
      ${moved.map((row) => row.deliveredAt)}::timestamptz[],
      ${moved.map((row) => row.readAt)}::timestamptz[],
      ${moved.map((row) => row.failedAt)}::timestamptz[],
      ${moved.map((row) => row.errorCode)}::text[],
      ${moved.map((row) => row.errorDetail)}::text[],
      ${moved.map((row) => row.dueAt)}::timestamptz[],
      ${moved.map((row) => row.outbound)}::text[])
      as told (id, provider_message_id, status, sent_at, delivered_at, read_at, failed_at,
        error_code, error_detail, due_at, outbound)
    where message.id = told.id
    ), open as materialized (
      select id, company_id, status from flow_run
      where id = any(${moved.flatMap(({ runId }) => runId ?? [])}::uuid[])
        and (status = 'running' or wait_kind = 'sent'
          or (wait_kind = 'reply' and id = any(${undelivered}::uuid[])))
      order by id for update
    )
    ${makeRunsDue(sql`select * from open`, now)}`.execute(tx)
  if (numAffectedRows > 0n) notifyAfterCommit(tx, 'runs')
}
