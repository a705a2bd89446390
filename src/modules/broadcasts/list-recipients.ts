import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { RecipientQuery, RecipientView } from '../../contract/dashboard/broadcast.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import type { RecipientOutcome, SkipReason } from '../../core/vocabulary/broadcasts.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { requireBroadcast, type OwnedBroadcast } from './require-broadcast.ts'

type Row = {
  number: number
  contactId: string | null
  name: string | null
  phone: string | null
  skipReason: string | null
  why: string | null
  messageId: string | null
  conversationId: string | null
  status: string | null
  errorCode: string | null
  errorDetail: string | null
}

/**
 * Lists recipients with their outcomes, optionally of one outcome, in the order of sending.
 * @throws not_found. Spec: Broadcasts › Outcome.
 */
export async function listRecipients(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  { companyId, broadcastId, state, cursor, limit }: OwnedBroadcast & RecipientQuery,
): Promise<Page<RecipientView>> {
  const { enqueuedTo } = await requireBroadcast(db.kysely, { companyId, broadcastId })
  const ofMessages = state !== undefined && state !== 'pending' && state !== 'skipped'
  const { rows } = await sql<Row>`
    select picked.number, picked.contact_id, contact.name, contact.phone, picked.skip_reason, picked.why,
      message.id as message_id, message.conversation_id, message.status, message.error_code,
      message.error_detail
    from (${
      ofMessages
        ? byStatus(broadcastId, { status: state, after: cursor, limit: limit + 1 })
        : byNumber(broadcastId, { state, enqueuedTo, after: cursor, limit: limit + 1 })
    }) picked
      left join contact on contact.id = picked.contact_id
      left join message on message.id = picked.message_id
    order by ${ofMessages ? sql`picked.message_id` : sql`picked.number`}`.execute(db.kysely)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const after = last && (ofMessages ? last.messageId! : String(last.number))
  return {
    items: shown.map((row) => view(row, formatFact)),
    nextCursor: rows.length > limit && after !== undefined ? btoa(after).replaceAll('=', '') : null,
  }
}

type PageRequest = { after: string | undefined; limit: number }

function byNumber(
  broadcastId: string,
  {
    state,
    enqueuedTo,
    after,
    limit,
  }: PageRequest & { state: string | undefined; enqueuedTo: number },
): RawBuilder<unknown> {
  const from = /^\d+$/.test(after ?? '') ? Number(after) : 0
  // Pending recipients follow all processed ones.
  const minNumber = state === 'pending' ? Math.max(from, enqueuedTo) : from
  const conditions = {
    pending: sql`and message_id is null and skip_reason is null`,
    skipped: sql`and skip_reason is not null`,
  }[state ?? '']
  return sql`select number, contact_id, skip_reason, why, message_id from broadcast_recipient
    where broadcast_id = ${broadcastId} and number > ${minNumber} ${conditions ?? sql``}
    order by number limit ${limit}`
}

function byStatus(
  broadcastId: string,
  { status, after, limit }: PageRequest & { status: string },
): RawBuilder<unknown> {
  return sql`select recipient.* from (
      select id from message
      where broadcast_id = ${broadcastId} and broadcast_status = ${status}
        and id > ${after?.startsWith('o_') ? after : ''}
      order by id limit ${limit}
    ) found join broadcast_recipient recipient on recipient.message_id = found.id`
}

function view(row: Row, formatFact: FormatFact): RecipientView {
  const { contactId, name, phone, messageId, conversationId, errorCode, skipReason } = row
  const detail = row.why ?? row.errorDetail
  return {
    contactId,
    name,
    phone,
    state: (skipReason === null ? (row.status ?? 'pending') : 'skipped') as RecipientOutcome,
    skipReason: skipReason as SkipReason | null,
    messageId,
    conversationId,
    status: row.status as SentMessageStatus | null,
    errorCode,
    detail: detail === null ? null : formatFact(parseFact(detail)),
  }
}
