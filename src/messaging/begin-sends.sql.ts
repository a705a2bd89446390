import { sql } from 'kysely'
import type { Outbound } from '../channels/channel-adapter.ts'
import type { CustomerRef } from '../channels/inbound.ts'
import type { Database } from '../database/connect.ts'
import { leaseEnd } from '../database/queues/queue.ts'
import { oneStatement } from '../database/transaction.ts'
import { gatherByDatabase } from '../database/gather.ts'
import { SEND_LIMITS } from '../limits/messaging.ts'
import { customerAddress } from './contact.ts'
import { ownAddress, type OwnAddress } from './own-address.sql.ts'
import type { QueuedSendFacts } from './may-send.ts'
import type { Sender } from '../rules/messaging/may-send.ts'
import type { MessageInHand } from './queue-message.ts'

type SendToBegin = MessageInHand & {
  now: Date
  /** The answer of the try before was lost, and nothing has been sent since. */
  isAgain?: boolean
}

export type BegunSend = MessageInHand & {
  company: { id: string; name: string | null }
  contactId: string | null
  conversationId: string
  attempt: number
  runId: string | null
  replyId: string | null
  content: Outbound
  /** Within which the channel's business-scoped ids are ids. */
  scope: string
  /** Null where the customer can be reached by nothing any more. */
  to: CustomerRef | null
  facts: QueuedSendFacts
  /** False once whoever had something to say has ended, or has said it. */
  isStillWanted: boolean
}

/**
 * Writes down that a message in hand is about to go out, under a lease that begins now, and reads what
 * decides whether it may. Null when its claim has ended, or it was begun before: it must not go out. Nor
 * must a further try once an earlier one is known to have gone out after all. Where the answer of this statement was
 * lost it is asked again: what stands begun under the claim was begun by the try before.
 * Messages that begin at the same time share a statement.
 *
 * Isolation: of two workers that each believe a message theirs, only the one whose claim it carries
 * finds it, and only once.
 */
export const beginSend = gatherByDatabase<Pick<Database, 'kysely'>, SendToBegin, BegunSend | null>({
  most: SEND_LIMITS.batch,
  isHalved: true,
  run: beginSends,
})

type BegunRow = OwnAddress & {
  id: string
  companyName: string | null
  plan: string
  contactId: string | null
  conversationId: string
  attempt: number
  runId: string | null
  replyId: string | null
  isStillWanted: boolean
  outbound: string
  channelType: string
  filedUnder: string
  sender: string
  optedOutAt: Date | null
  handledBy: string
  takenOverUntil: Date | null
  /** After the first try was queued: before, whoever queued it was allowed to. */
  isTakenOverSince: boolean
  lastCustomerAt: Date | null
  isConnected: boolean
  disconnectedReason: string | null
  scope: string
}

async function beginSends(
  db: Pick<Database, 'kysely'>,
  asked: readonly SendToBegin[],
): Promise<(BegunSend | null)[]> {
  const leaseEndsAt = leaseEnd(SEND_LIMITS, asked[0]!.now)
  const { rows } = await oneStatement(db, (kysely) =>
    sql<BegunRow>`
    with begun as (
      update message set status = 'sending', claimed_until = ${leaseEndsAt}
      from unnest(${asked.map(({ id }) => id)}::text[],
        ${asked.map(({ claimId }) => claimId)}::uuid[],
        ${asked.map(({ isAgain }) => isAgain === true)}::boolean[]) as asked (id, claim, is_again)
      where message.id = asked.id and message.claim_id is not distinct from asked.claim
        and (message.status = 'queued' or (asked.is_again and message.status = 'sending'))
      returning message.id, message.company_id, message.conversation_id, message.channel_id,
        message.run_id, message.reply_id, message.sender, message.send_key, message.attempt,
        message.template_name, message.outbound, message.created_at
    )
    select begun.id, begun.attempt, begun.outbound, begun.run_id, begun.reply_id,
      begun.conversation_id,
      (begun.run_id is null or (run.ended_at is null and run.cancel_detail is null
          and run.flow_deleted_at is null))
        and reply.is_over is not true
        and not coalesce(earlier.has_gone_out, false) as is_still_wanted,
      conversation.contact_id, conversation.channel_type, conversation.filed_under,
      conversation.handled_by, conversation.taken_over_until, conversation.last_customer_at,
      coalesce(conversation.taken_over_at > coalesce(earlier.created_at, begun.created_at), false)
        as is_taken_over_since,
      own.*,
      contact.opted_out_at, begun.sender,
      channel.is_connected, channel.disconnected_reason,
      coalesce(channel.provider_account, channel.id::text) as scope,
      paid.company_name, paid.plan
    from begun
      cross join lateral (select * from conversation
        where conversation.id = begun.conversation_id limit 1) conversation
      cross join lateral (select * from channel where channel.id = begun.channel_id limit 1) channel
      cross join lateral (select company.name as company_name, account.plan
        from company join account on account.id = company.account_id
        where company.id = begun.company_id limit 1) paid
      left join lateral (select * from contact
        where contact.id = conversation.contact_id limit 1) contact on true
      cross join lateral (${ownAddress({
        isReply: sql`begun.template_name is null and conversation.last_customer_at is not null`,
        scope: sql`coalesce(channel.provider_account, channel.id::text)`,
      })} limit 1) own
      left join lateral (select flow_run.ended_at, flow_run.cancel_detail,
          flow.deleted_at as flow_deleted_at
        from flow_run join flow on flow.id = flow_run.flow_id
        where flow_run.id = begun.run_id limit 1) run on true
      left join lateral (select assistant_reply.state = 'cancelled' as is_over
        from assistant_reply where assistant_reply.id = begun.reply_id limit 1) reply on true
      left join lateral (select min(created_at) as created_at,
          bool_or(status in ('accepted', 'sent', 'delivered', 'read')) as has_gone_out
        from message before
        where before.send_key = begun.send_key and before.attempt < begun.attempt) earlier on true
  `.execute(kysely),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return asked.map((message) => {
    const row = byId.get(message.id)
    return row ? begunSend(message, row) : null
  })
}

const SENDERS: Readonly<Record<string, Sender>> = {
  staff: 'member',
  assistant: 'assistant',
  broadcast: 'broadcast',
  notice: 'notice',
}

function begunSend(message: MessageInHand, row: BegunRow): BegunSend {
  const { plan, handledBy, takenOverUntil, isTakenOverSince, lastCustomerAt } = row
  const { isConnected, disconnectedReason } = row
  const by = SENDERS[row.sender] ?? 'flow'
  const isKeptOut = by === 'flow' || by === 'assistant'
  return {
    ...message,
    company: { id: message.companyId, name: row.companyName },
    contactId: row.contactId,
    conversationId: row.conversationId,
    attempt: row.attempt,
    runId: row.runId,
    replyId: row.replyId,
    isStillWanted: row.isStillWanted,
    content: JSON.parse(row.outbound) as Outbound,
    scope: row.scope,
    to: customerAddress(row, row),
    facts: {
      channel: { type: row.channelType, isConnected, disconnectedReason },
      plan,
      by,
      optedOutAt: row.optedOutAt,
      handling: isKeptOut && isTakenOverSince ? { handledBy, takenOverUntil } : null,
      lastCustomerAt,
    },
  }
}
