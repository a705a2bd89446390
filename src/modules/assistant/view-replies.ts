import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { ReplyView } from '../../contract/dashboard/assistant-reply.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { ASSISTANT_SETUP_LIMITS } from '../../core/limits/assistant-setup.ts'
import type { ReplyState } from '../../core/vocabulary/assistant-setup.ts'

/** A reply with what its view shows. */
export type ListedReply = {
  id: string
  conversationId: string
  channelType: string
  contactId: string | null
  contactName: string | null
  contactPhone: string | null
  visitorName: string | null
  state: ReplyState
  endReason: string | null
  detail: string | null
  question: string | null
  startedAt: Date
  endedAt: Date | null
  modelRequests: number
  tokensIn: number
  tokensOut: number
  good: number
  bad: number
  /** The start, in the database's precision, for the cursor. */
  placedBy: string
}

/** Loads replies that meet a condition over `reply`, newest first. */
export async function readReplies(
  db: Kysely<DB>,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<ListedReply[]> {
  const { rows } = await sql<ListedReply>`
    select reply.id, reply.conversation_id, conversation.channel_type, contact.id as contact_id,
      contact.name as contact_name, contact.phone as contact_phone, conversation.visitor_name,
      reply.state, reply.end_reason, reply.detail,
      left(coalesce(first.text, first.transcript), ${ASSISTANT_SETUP_LIMITS.questionChars}) as question,
      reply.started_at, reply.ended_at, reply.model_requests, reply.tokens_in, reply.tokens_out,
      (select count(*)::int from reply_feedback where reply_id = reply.id and is_good) as good,
      (select count(*)::int from reply_feedback where reply_id = reply.id and not is_good) as bad,
      to_char(reply.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_by
    from assistant_reply reply
      join conversation on conversation.id = reply.conversation_id
      left join contact on contact.id = conversation.contact_id
      left join message first on first.id = reply.first_message_id
        and first.conversation_id = reply.conversation_id
    where ${where}
    order by reply.started_at desc, reply.id desc
    limit ${limit}`.execute(db)
  return rows
}

/** Converts a reply to its view. */
export function viewReply(row: ListedReply, formatFact: FormatFact): ReplyView {
  return {
    id: row.id,
    conversationId: row.conversationId,
    channelType: row.channelType,
    contact:
      row.contactId === null
        ? null
        : { id: row.contactId, name: row.contactName, phone: row.contactPhone },
    visitorName: row.visitorName,
    state: row.state,
    why: row.endReason === null ? null : formatFact(parseFact(row.endReason)),
    detail: row.detail,
    question: row.question,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    modelRequests: row.modelRequests,
    tokensIn: row.tokensIn,
    tokensOut: row.tokensOut,
    good: row.good,
    bad: row.bad,
  }
}
