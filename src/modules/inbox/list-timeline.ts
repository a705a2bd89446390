import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { EntryView, TimelineItem } from '../../contract/dashboard/conversation.ts'
import { toOrderedPage, type CursorPosition } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { ConversationEntry } from '../../infra/database/tables.ts'
import type { EntryKind } from '../../core/vocabulary/inbox.ts'
import type { Kysely, Selectable } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { OwnedConversation } from './lock-conversation.ts'
import { readConversation } from './view-conversations.ts'
import { readPeople, viewMessages } from './view-messages.ts'

/** A row of the table of conversation entries: notes and changes of a conversation. */
export type EntryRow = Selectable<ConversationEntry>
type Line = { kind: 'message' | 'entry'; id: string; placedBy: string; arrival: number }

/**
 * Returns a page of the messages and entries of a conversation, newest first; at equal times the last arrival comes
 * first. Only the last attempt of a retried message is shown.
 * @throws not_found
 *
 * Spec: Inbox › Timeline.
 */
export async function listTimeline(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  owned: OwnedConversation,
  { limit, cursor }: { limit: number; cursor?: CursorPosition | undefined },
): Promise<Page<TimelineItem>> {
  const { kysely } = db
  await readConversation(kysely, owned)
  const { companyId, conversationId } = owned
  const before = (at: string) =>
    cursor ? sql`and (${sql.ref(at)}, arrival) < (${cursor.by}::timestamptz, ${cursor.id})` : sql``
  const { rows } = await sql<Line>`
    select kind, id, arrival, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_by
    from (
      (select 'message' as kind, id, occurred_at as at, arrival from message
        where conversation_id = ${conversationId} and company_id = ${companyId}
          ${before('occurred_at')}
          and not exists (select from message later
            where later.send_key = message.send_key and later.attempt > message.attempt)
        order by occurred_at desc, arrival desc limit ${limit + 1})
      union all
      (select 'entry', id::text, at, arrival from conversation_entry
        where conversation_id = ${conversationId} and company_id = ${companyId} ${before('at')}
        order by at desc, arrival desc limit ${limit + 1})
    ) line order by at desc, arrival desc limit ${limit + 1}`.execute(kysely)
  const idsOf = (kind: Line['kind']) =>
    rows.filter((line) => line.kind === kind).map(({ id }) => id)
  const views = new Map<string, TimelineItem>([
    ...(await readMessages({ db, formatFact }, companyId, idsOf('message'))),
    ...(await viewEntries(kysely, companyId, idsOf('entry'))),
  ])
  return toOrderedPage(
    rows,
    limit,
    ({ arrival, placedBy }) => ({ by: placedBy, id: String(arrival) }),
    ({ id }) => views.get(id)!,
  )
}

async function readMessages(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  companyId: string,
  ids: readonly string[],
): Promise<[string, TimelineItem][]> {
  if (ids.length === 0) return []
  const rows = await db.kysely
    .selectFrom('message')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .execute()
  return (await viewMessages({ db, formatFact }, companyId, rows)).map((view) => [view.id, view])
}

async function viewEntries(
  db: Kysely<DB>,
  companyId: string,
  ids: readonly string[],
): Promise<[string, EntryView][]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('conversationEntry')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .execute()
  return (await viewEntryRows(db, rows)).map((view) => [view.id, view])
}

/** Converts the entries of a conversation's timeline to views, with the names of the people in them. */
export async function viewEntryRows(
  db: Kysely<DB>,
  rows: readonly EntryRow[],
): Promise<EntryView[]> {
  const named = ({ data }: EntryRow) => {
    const { assigneeId = null, from = null } = data as Record<string, string | null>
    return [assigneeId, from]
  }
  const people = await readPeople(
    db,
    rows.flatMap((row) => [row.actorKind === 'member' ? row.actorId : null, ...named(row)]),
  )
  return rows.map((row) => ({
    kind: 'entry',
    id: row.id,
    conversationId: row.conversationId,
    entry: row.kind as EntryKind,
    by: { kind: row.actorKind, id: row.actorId, name: people.get(row.actorId ?? '')?.name ?? null },
    text: row.text,
    data:
      row.kind === 'assigned'
        ? {
            assignee: people.get(named(row)[0] ?? '') ?? null,
            from: people.get(named(row)[1] ?? '') ?? null,
          }
        : (row.data as Record<string, unknown>),
    at: row.at.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
  }))
}
