import { transaction } from '../../src/infra/database/transaction.ts'
import { lockFilesToSend } from '../../src/modules/files/files-to-send.ts'
import { prepareMedia } from '../../src/modules/messaging/prepare-media.ts'
import { newMessageId, queueMessages } from '../../src/modules/messaging/queue-message.ts'
import type { World } from './test-service.ts'

type Asked = Record<'companyId' | 'conversationId' | 'fileId' | 'personId', string> & {
  caption?: string | null
}

/** Queues an uploaded file that a member sends in a conversation. Returns the id of the message. */
export async function queueFile(
  world: World,
  { companyId, conversationId, fileId, personId, caption = null }: Asked,
): Promise<string> {
  const { db, ids, clock } = world.service.context
  const id = newMessageId(ids)
  await transaction(db, async (tx) => {
    const channel = await tx
      .selectFrom('conversation')
      .innerJoin('channel', 'channel.id', 'conversation.channelId')
      .select(['channel.id', 'channel.type', 'channel.isCoexistence'])
      .where('conversation.id', '=', conversationId)
      .executeTakeFirstOrThrow()
    const [file] = await lockFilesToSend(tx, [{ companyId, fileId }])
    const prepared = prepareMedia(file!, { channelType: channel.type, caption })
    if (!prepared.ok) throw new Error(prepared.reason.code)
    const { content } = prepared
    const by = { kind: 'member' as const, personId }
    const said = { key: id, content, text: content.caption, templateSend: null }
    const message = { id, companyId, conversationId, channel, by, ...said }
    await queueMessages(tx, { now: clock.now(), eagerClaimFor: () => null }, [message])
  })
  return id
}
