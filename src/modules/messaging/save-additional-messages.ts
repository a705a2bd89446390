import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { enqueueDownloads } from '../files/enqueue-downloads.ts'
import type { Ids } from '../../core/ids.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { leaveOutKnown } from './leave-out-known.ts'
import { receivedMessageId, type ReceivedMessage } from './receive-message.ts'

/**
 * Saves additional attachments of messages as separate rows. They raise no event and get no reply, as the first row
 * did. An attachment whose provider id is stored already is left out. Call it once the first messages were answered,
 * because answering looks at the messages before them.
 */
export async function saveAdditionalMessages(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  received: readonly ReceivedMessage[],
): Promise<void> {
  const reported = received.flatMap(({ channel, conversation, receivedAt, event }) =>
    (event.further ?? []).map((further) => ({ channel, conversation, receivedAt, ...further })),
  )
  if (reported.length === 0) return
  const unknown = await leaveOutKnown(tx, reported, ({ channel, providerMessageId }) => ({
    channelId: channel.id,
    providerMessageId,
  }))
  if (unknown.length === 0) return
  const additional = unknown.map(
    ({ channel, conversation, receivedAt, providerMessageId, type, media }) => {
      const companyId = channel.company.id
      const file = media && { id: ids.uuid(), companyId, channelId: channel.id, media }
      const row = {
        id: receivedMessageId(channel.id, providerMessageId),
        companyId,
        conversationId: conversation.id,
        channelId: channel.id,
        direction: 'in',
        sender: 'customer',
        type,
        fileId: file?.id ?? null,
        providerMessageId: cleanText(providerMessageId),
        occurredAt: receivedAt,
        createdAt: now,
      }
      return { file, row }
    },
  )
  await enqueueDownloads(
    tx,
    now,
    additional.flatMap(({ file }) => file ?? []),
  )
  await tx
    .insertInto('message')
    .values(additional.map(({ row }) => row))
    .execute()
}
