import { sql, type Selectable, type Transaction } from 'kysely'
import { whyRefused } from '../channels/why-refused.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Receipt } from '../channels/inbound.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB, Message as MessageTable } from '../../infra/database/tables.ts'
import { SENT_MESSAGE_STATUSES, type SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { makeRunsDue } from './make-runs-due.sql.ts'

/** A row of the table of messages. */
export type MessageRow = Selectable<MessageTable>

/** The sent message that a receipt refers to. */
export type NamedMessage = {
  id: string
  conversationId: string
  runId: string | null
  occurredAt: Date
}

/** The order of statuses. Receipts arrive late, twice and out of order, so a message only moves forward in this order. */
const ORDER: readonly SentMessageStatus[] = SENT_MESSAGE_STATUSES

const NO_FAILURE = { failedAt: null, errorCode: null, errorDetail: null }
/** A message that was sent after all is not retried. */
const NO_RETRY = { dueAt: null, outbound: null }

/**
 * Finds the sent messages that receipts refer to, in their order: by the provider's id or, when the response to the
 * send was lost, by this service's reference. Returns null for a receipt of an unknown message.
 */
export async function findMessagesOfReceipts(
  tx: Transaction<DB>,
  receipts: readonly { channelId: string; receipt: Receipt }[],
): Promise<(NamedMessage | null)[]> {
  const { rows } = await sql<NamedMessage & { nth: string }>`
    select requested.nth, found.id, found.conversation_id, found.run_id, found.occurred_at
    from unnest(${receipts.map(({ channelId }) => channelId)}::uuid[],
        ${receipts.map(({ receipt }) => receipt.providerMessageId)}::text[],
        ${receipts.map(({ receipt }) => receipt.ourReference ?? null)}::text[])
        with ordinality as requested (channel_id, provider_message_id, our_reference, nth)
      cross join lateral (
        select id, conversation_id, run_id, occurred_at from message by_provider
        where by_provider.channel_id = requested.channel_id
          and by_provider.provider_message_id = requested.provider_message_id
          and by_provider.direction = 'out'
        union all
        select id, conversation_id, run_id, occurred_at from message by_reference
        where by_reference.id = requested.our_reference
          and by_reference.channel_id = requested.channel_id
          and by_reference.provider_message_id is null and by_reference.direction = 'out'
        limit 1
      ) found`.execute(tx)
  const found = new Map(rows.map(({ nth, ...named }) => [Number(nth) - 1, named]))
  // One receipt may bring a message's provider id, by which others of the batch find it.
  const nameOf = ({ channelId, receipt }: (typeof receipts)[number]) =>
    `${channelId} ${receipt.providerMessageId}`
  const byName = new Map([...found].map(([nth, named]) => [nameOf(receipts[nth]!), named]))
  return receipts.map((entry, nth) => found.get(nth) ?? byName.get(nameOf(entry)) ?? null)
}

/**
 * Applies receipts to sent messages; all receipts of one message are folded, in their order, into one update. A
 * message whose response was lost gets its provider id. Runs that wait for the send become due, and runs that wait
 * for a reply when a message of theirs failed. Returns the messages that changed. The caller has locked the
 * conversations.
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

/** Returns the message after a receipt, or the same object when the receipt has nothing new. */
export function afterReceipt(before: MessageRow, receipt: Receipt): MessageRow {
  const isForward = movesForward(before, receipt.status)
  if (!isForward && before.providerMessageId !== null) return before
  const { providerMessageId } = receipt
  if (!isForward) return { ...before, providerMessageId }
  return {
    ...before,
    providerMessageId,
    status: receipt.status,
    ...NO_FAILURE,
    ...NO_RETRY,
    ...stamp(receipt, before),
  }
}

function movesForward(before: MessageRow, status: Receipt['status']): boolean {
  const current = before.status as SentMessageStatus
  // A message that reached the customer cannot have failed.
  if (status === 'failed' && (current === 'delivered' || current === 'read')) return false
  // The provider refused it at the send, but delivered it nevertheless.
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
    with moved as (update message set provider_message_id = given.provider_message_id, status = given.status,
      sent_at = given.sent_at, delivered_at = given.delivered_at, read_at = given.read_at,
      failed_at = given.failed_at, error_code = given.error_code, error_detail = given.error_detail,
      due_at = given.due_at, outbound = given.outbound
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
      as given (id, provider_message_id, status, sent_at, delivered_at, read_at, failed_at,
        error_code, error_detail, due_at, outbound)
    where message.id = given.id
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
