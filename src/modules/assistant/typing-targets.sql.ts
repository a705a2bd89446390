import { sql, type Kysely } from 'kysely'
import type { CustomerRef } from '../channels/inbound.ts'
import type { DB } from '../../infra/database/tables.ts'
import { customerAddress } from '../messaging/contact.ts'
import { ownAddress, type OwnAddress } from '../messaging/own-address.sql.ts'
import type { ClaimedReply } from './reply-queue.ts'

/** A customer who waits while the assistant thinks. */
export type TypingTarget = {
  replyId: string
  channelId: string
  customer: CustomerRef
  /** The provider's id of their newest message. */
  providerMessageId: string
}

/** Returns the customers of claimed replies that are still thinking. */
export async function readTypingTargets(
  db: Kysely<DB>,
  replies: readonly Pick<ClaimedReply, 'id' | 'claimId'>[],
): Promise<TypingTarget[]> {
  type Row = Omit<TypingTarget, 'customer'> &
    OwnAddress & { channelType: string; filedUnder: string }
  const { rows } = await sql<Row>`
    select reply.id as reply_id, conversation.channel_id, conversation.channel_type,
      conversation.filed_under, newest.provider_message_id, own.*
    from unnest(${replies.map(({ id }) => id)}::uuid[],
        ${replies.map(({ claimId }) => claimId)}::uuid[]) as input (id, claim_id)
      join assistant_reply reply on reply.id = input.id and reply.claim_id is not distinct from input.claim_id
        and reply.state = 'thinking'
      join conversation on conversation.id = reply.conversation_id
      cross join lateral (
        select provider_message_id from message
        where message.conversation_id = reply.conversation_id and direction = 'in'
          and provider_message_id is not null
        order by occurred_at desc, arrival desc limit 1) newest
      cross join lateral (${ownAddress()}) own`.execute(db)
  return rows.flatMap(({ replyId, channelId, providerMessageId, ...row }) => {
    const customer = customerAddress(row, row)
    return customer ? [{ replyId, channelId, providerMessageId, customer }] : []
  })
}
