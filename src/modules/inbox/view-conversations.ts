import { sql, type Kysely } from 'kysely'
import type { ConversationView } from '../../contract/dashboard/conversation.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { ConversationRow } from '../messaging/conversation.ts'
import { ERASED_CONVERSATION } from '../messaging/erased-conversation.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { refuseUnknownConversation, type OwnedConversation } from './lock-conversation.ts'

/** The related rows that the view of a conversation shows. */
type Around = {
  id: string
  contactName: string | null
  contactPhone: string | null
  optedOutAt: Date | null
  assigneeName: string | null
  authorName: string | null
  handoverId: string | null
  reason: string | null
  reasonText: string | null
  openedAt: Date | null
}

/** Returns conversations as members see them, in the given order. One statement reads all related rows. */
export async function viewConversations(
  db: Kysely<DB>,
  rows: readonly ConversationRow[],
  now: Date,
): Promise<ConversationView[]> {
  if (rows.length === 0) return []
  const { rows: around } = await sql<Around>`
    select listed.id, contact.name as contact_name, contact.phone as contact_phone,
      contact.opted_out_at, person.name as assignee_name, author.name as author_name,
      handover.id as handover_id,
      handover.reason, handover.reason_text, handover.opened_at
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ contactId }) => contactId)}::uuid[],
        ${rows.map(({ assigneeId }) => assigneeId)}::uuid[],
        ${rows.map(({ lastAuthorId }) => lastAuthorId)}::uuid[]) as listed (id, contact_id, assignee_id, author_id)
      left join contact on contact.id = listed.contact_id
      left join person on person.id = listed.assignee_id
      left join person author on author.id = listed.author_id
      left join handover on handover.conversation_id = listed.id and handover.closed_at is null
  `.execute(db)
  const byId = new Map(around.map((one) => [one.id, one]))
  return rows.map((row) => view(row, byId.get(row.id)!, now))
}

/** Loads a conversation of a company. @throws not_found */
export async function readConversation(
  db: Kysely<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', conversationId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return row ?? refuseUnknownConversation()
}

/** Returns a conversation as the dashboard shows it. @throws not_found */
export async function viewConversation(
  db: Kysely<DB>,
  owned: OwnedConversation,
  now: Date,
): Promise<ConversationView> {
  const [shown] = await viewConversations(db, [await readConversation(db, owned)], now)
  return shown!
}

function view(row: ConversationRow, around: Around, now: Date): ConversationView {
  const isStaffs = isStaffHandling(row, now)
  const at = (time: Date | null) => time?.toISOString() ?? null
  return {
    id: row.id,
    channelId: row.channelId,
    channelType: row.channelType,
    contact: row.contactId && {
      id: row.contactId,
      name: around.contactName,
      phone: around.contactPhone,
      isOptedOut: around.optedOutAt !== null,
    },
    visitorName: row.visitorName,
    visitorEmail: row.visitorEmail,
    status: row.status as ConversationView['status'],
    handledBy: isStaffs ? 'staff' : 'assistant',
    takenOverUntil: isStaffs ? at(row.takenOverUntil) : null,
    assignee: row.assigneeId && { id: row.assigneeId, name: around.assigneeName },
    needsStaff: row.needsStaff,
    waitingSince: at(row.waitingSince),
    turn: row.turn,
    handover: around.handoverId && {
      id: around.handoverId,
      reason: around.reason as HandoverReason,
      reasonText: around.reasonText,
      openedAt: around.openedAt!.toISOString(),
    },
    lastMessage: row.lastSender && {
      text: row.lastText,
      sender: row.lastSender,
      author:
        row.lastSender === 'staff' && row.lastAuthorId !== null
          ? { id: row.lastAuthorId, name: around.authorName }
          : null,
      at: row.lastMessageAt!.toISOString(),
    },
    isErased: row.filedUnder.startsWith(ERASED_CONVERSATION),
    isUnread:
      row.lastCustomerAt !== null &&
      (row.staffSeenAt === null || row.staffSeenAt < row.lastCustomerAt),
    windowEndsAt: at(row.serviceWindowEndsAt),
    resolvedAt: at(row.resolvedAt),
    createdAt: row.createdAt.toISOString(),
  } as ConversationView
}
