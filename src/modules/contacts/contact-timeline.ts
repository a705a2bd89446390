import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { TimelineEntry, TimelineQuery } from '../../contract/dashboard/contact.ts'
import { writeTimelineCursor } from '../../contract/dashboard/contact.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'

/** An entry; `sortKey` orders entries of one time, and `details` has up to two values, by kind. */
type Row = { id: string; sortKey: string; at: Date; kind: string; details: (string | null)[] }

/**
 * Returns a page of what happened to a contact, newest first: its creation, opt-outs and opt-ins, conversations and leads,
 * each with its current state, but no messages. Among entries of one time, the creation counts as the oldest, then the
 * conversation. @throws not_found
 */
export async function listContactTimeline(
  { db }: Pick<Context, 'db'>,
  { companyId, contactId, limit, cursor }: OwnedContact & TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const contact = await requireContact(db.kysely, { companyId, contactId })
  const of = sql`company_id = ${companyId} and contact_id = ${contactId}`
  const before = cursor ? sql`(at, sort_key) < (${cursor.at}, ${cursor.id})` : sql`true`
  const { rows } = await sql<Row>`
    select id, sort_key, at, kind, details from (
      select ${contact.id} as id, ${contact.createdAt}::timestamptz as at, 'created' as kind,
        '0-' || ${contact.id} as sort_key, array[${contact.source}] as details
      union all
      select id::text, at, case when is_opted_out then 'opted_out' else 'opted_in' end,
        '2-' || id, array[how, reason]
      from opt_out_change where ${of}
      union all
      select id, created_at, 'conversation', '1-' || id, array[channel_id::text, channel_type]
      from conversation where ${of}
      union all
      select id::text, created_at, 'lead_made', '2-' || id,
        array[status, source] from lead where ${of}
    ) entry
    where ${before}
    order by at desc, sort_key desc limit ${limit + 1}`.execute(db.kysely)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(viewEntry),
    nextCursor:
      rows.length > limit && last ? writeTimelineCursor({ at: last.at, id: last.sortKey }) : null,
  }
}

function viewEntry({ id, at, kind, details }: Row): TimelineEntry {
  const entry = { id, at: at.toISOString() }
  const [first, second = null] = details
  switch (kind) {
    case 'created':
      return { ...entry, kind, source: first } as TimelineEntry
    case 'conversation':
      return { ...entry, kind, channelId: first, channelType: second } as TimelineEntry
    case 'lead_made':
      return { ...entry, kind, status: first, source: second } as TimelineEntry
    default:
      return { ...entry, kind, how: first, reason: second } as TimelineEntry
  }
}
