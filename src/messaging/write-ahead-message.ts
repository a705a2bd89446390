/**
 * Sending in three moves, so that nothing is sent twice and nothing is forgotten:
 * the message is written as `sending` with our reference; the provider is called, outside any
 * transaction; its answer is recorded. A message that is found `sending` later is one whose answer
 * was lost: it becomes `unknown` and is never sent again blindly; a receipt that names our reference
 * tells what became of it.
 */
import type { Transaction } from 'kysely'
import type { Outbound, SendResult } from '../channels/channel-adapter.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { cleanText } from '../rules/json-text.ts'
import type { MessageRow } from './record-receipt.ts'

export async function writeAheadMessage(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  input: {
    companyId: string
    conversationId: string
    channelId: string
    runId: string
    /** One step of one run writes one message, whatever happens. */
    sendKey: string
    message: Outbound
    /** What the customer will read. */
    text: string
  },
): Promise<string> {
  const id = `o_${ids.uuid().replaceAll('-', '')}`
  const { message } = input
  await tx
    .insertInto('message')
    .values({
      id,
      companyId: input.companyId,
      conversationId: input.conversationId,
      channelId: input.channelId,
      direction: 'out',
      sender: 'flow',
      type: 'text',
      text: cleanText(input.text),
      templateName: message.kind === 'template' ? message.name : null,
      templateLanguage: message.kind === 'template' ? message.language : null,
      runId: input.runId,
      sendKey: input.sendKey,
      status: 'sending',
      occurredAt: now,
      createdAt: now,
    })
    .execute()
  await tx
    .updateTable('conversation')
    .set({ lastMessageAt: now })
    .where('id', '=', input.conversationId)
    .execute()
  return id
}

/**
 * Writes what the provider answered. A receipt may have been quicker than the answer: a message that
 * has moved on keeps its status. Returns the message as it now is.
 */
export async function recordSendResult(
  tx: Transaction<DB>,
  { now }: { now: Date },
  messageId: string,
  result: SendResult,
): Promise<MessageRow> {
  const before = await tx
    .selectFrom('message')
    .selectAll()
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const isOpen = before.status === 'sending' || before.status === 'unknown'
  const change = ((): Partial<MessageRow> => {
    switch (result.outcome) {
      case 'accepted':
        return {
          providerMessageId: before.providerMessageId ?? cleanText(result.providerMessageId),
          ...(isOpen ? { status: 'accepted' } : {}),
        }
      case 'refused':
        return isOpen
          ? {
              status: 'failed',
              failedAt: now,
              errorCode: result.error.code,
              errorDetail: cleanText(result.error.message),
            }
          : {}
      case 'unknown':
        return isOpen ? { status: 'unknown' } : {}
    }
  })()
  if (Object.keys(change).length === 0) return before
  return tx
    .updateTable('message')
    .set(change)
    .where('id', '=', messageId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A send that was cut off: whoever made it left no answer, and what became of it is unknown. */
export async function markUnanswered(tx: Transaction<DB>, runId: string): Promise<void> {
  await tx
    .updateTable('message')
    .set({ status: 'unknown' })
    .where('runId', '=', runId)
    .where('status', '=', 'sending')
    .execute()
}
