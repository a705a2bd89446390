import type { Selectable, Transaction } from 'kysely'
import type { Receipt } from '../channels/channel-adapter.ts'
import type { DB, Message as MessageTable } from '../database/tables.ts'
import { cleanText } from '../rules/json-text.ts'
import { SENT_MESSAGE_STATUSES, type SentMessageStatus } from '../vocabulary.ts'

export type MessageRow = Selectable<MessageTable>

/** Receipts come late, twice and out of order: a message only moves to the right in this list. */
const ORDER: readonly SentMessageStatus[] = SENT_MESSAGE_STATUSES

const NO_FAILURE = { failedAt: null, errorCode: null, errorDetail: null }

/**
 * The sent message that a receipt names: by the provider's id or, when the answer to our send was
 * lost, by the reference that we gave. Undefined when it is none of ours.
 */
export async function findMessageOfReceipt(
  tx: Transaction<DB>,
  channelId: string,
  receipt: Receipt,
): Promise<{ id: string; conversationId: string } | undefined> {
  const { providerMessageId } = receipt
  const ourReference = receipt.ourReference && cleanText(receipt.ourReference)
  return tx
    .selectFrom('message')
    .select(['id', 'conversationId'])
    .where('channelId', '=', channelId)
    .where('direction', '=', 'out')
    .where(({ eb, or, and }) =>
      or([
        eb('providerMessageId', '=', providerMessageId),
        ...(ourReference
          ? [and([eb('id', '=', ourReference), eb('providerMessageId', 'is', null)])]
          : []),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
}

/**
 * Moves a sent message on by a provider's receipt, and returns it as it is now; null when the receipt
 * tells nothing new. A message whose answer was lost learns its provider id here. The conversation is
 * locked by the caller.
 */
export async function recordReceipt(
  tx: Transaction<DB>,
  messageId: string,
  receipt: Receipt,
): Promise<MessageRow | null> {
  const before = await tx
    .selectFrom('message')
    .selectAll()
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const isForward = movesOn(before, receipt.status)
  if (!isForward && before.providerMessageId !== null) return null
  return tx
    .updateTable('message')
    .set({
      providerMessageId: receipt.providerMessageId,
      ...(isForward ? { status: receipt.status, ...NO_FAILURE, ...stamp(receipt, before) } : {}),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
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
        errorDetail: receipt.error ? cleanText(receipt.error.message) : null,
      }
  }
}
