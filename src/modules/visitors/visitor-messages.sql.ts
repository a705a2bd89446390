/** Messages of a visitor's conversation: theirs, and those sent to them. */
import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { WIDGET_MESSAGE_PREFIX } from '../channels/website/adapter.ts'
import type { VisitorMessage } from '../../contract/visitor.ts'
import { STREAM_LIMITS, VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { mediaKindOf } from '../../rules/messaging/sendable-media.ts'

/** A message of a conversation, and since when its visitor is shown it, in milliseconds of the database's clock. */
export type ShownMessage = { conversationId: string; shownMs: number; message: VisitorMessage }

type Row = {
  id: string
  conversationId: string
  direction: string
  type: string
  text: string | null
  providerMessageId: string | null
  occurredAt: Date
  shownMs: number
  fileId: string | null
  fileState: string | null
  fileName: string | null
  mediaType: string | null
  size: number | null
}

const COLUMNS = sql`message.id, message.conversation_id, message.direction, message.type, message.text,
  message.provider_message_id, message.occurred_at,
  floor(extract(epoch from message.shown_at) * 1000)::float8 as shown_ms,
  file.id as file_id, file.state as file_state, file.name as file_name, file.media_type, file.size`

/** Loads the last page of a visitor's conversation, or the page before a message, oldest message first. */
export async function readMessagePage(
  db: Kysely<DB>,
  { conversationId, before }: { conversationId: string; before: string | null },
): Promise<{ messages: ShownMessage[]; hasMore: boolean }> {
  const max = VISITOR_LIMITS.pageMessages
  const { rows } = await sql<Row>`
    select ${COLUMNS} from message left join file on file.id = message.file_id
    where message.conversation_id = ${conversationId} and message.shown_at is not null
      and (${before}::text is null or (message.shown_at, message.arrival) <
        (select shown_at, arrival from message
          where id = ${before} and conversation_id = ${conversationId}))
    order by message.shown_at desc, message.arrival desc limit ${max + 1}`.execute(db)
  return {
    messages: rows.slice(0, max).map(toShownMessage).toReversed(),
    hasMore: rows.length > max,
  }
}

/** Loads the messages of each conversation that are shown to its visitor since a time, oldest first. */
export async function loadNewMessages(
  db: Kysely<DB>,
  query: readonly { conversationId: string; sinceMs: number }[],
): Promise<ShownMessage[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from unnest(${query.map(({ conversationId }) => conversationId)}::text[],
        ${query.map(({ sinceMs }) => sinceMs)}::float8[]) as wanted (conversation_id, since_ms)
      cross join lateral (
        select * from message
        where message.conversation_id = wanted.conversation_id
          and message.shown_at >= to_timestamp(wanted.since_ms / 1000)
        order by message.shown_at, message.arrival limit ${STREAM_LIMITS.messagesPerRead}
      ) message left join file on file.id = message.file_id
    order by message.shown_at, message.arrival`.execute(db)
  return rows.map(toShownMessage)
}

/** Returns the time of the database, whose clock positions use. */
export async function readNowMs(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`.execute(db)
  return rows[0]!.nowMs
}

function toShownMessage(row: Row): ShownMessage {
  const isTheirs = row.direction === 'in'
  const said = row.providerMessageId?.slice(WIDGET_MESSAGE_PREFIX.length) ?? ''
  return {
    conversationId: row.conversationId,
    shownMs: row.shownMs,
    message: {
      id: row.id,
      from: isTheirs ? 'visitor' : 'shop',
      type: row.type,
      text: row.text,
      file:
        row.fileId !== null && row.fileState === 'kept' && row.mediaType !== null
          ? {
              id: row.fileId,
              kind: mediaKindOf(row.mediaType),
              mediaType: row.mediaType,
              name: row.fileName,
              size: row.size ?? 0,
            }
          : null,
      at: row.occurredAt.toISOString(),
      clientMessageId: isTheirs ? said.slice(said.indexOf(':') + 1) : null,
    },
  }
}
