import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ContactQuery, ListedContact } from '../../contract/dashboard/contact.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import type { ContactRow } from '../messaging/contact.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { requireContactSearch } from '../messaging/find-contacts.sql.ts'
import { filterConditions } from './filter-conditions.sql.ts'
import { searchWithTimeout } from '../messaging/search-with-timeout.ts'
import { loadSegment } from './segments.ts'
import { spellingsOf } from './tag-spellings.sql.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

/**
 * Returns a page of the company's contacts, newest first, filtered by search text, tag, opt-out or segment. A search that
 * takes more than half a second is refused.
 *
 * @throws invalid; not_found
 * Spec: Contacts › Search.
 */
export async function listContacts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, limit, ...query }: ContactQuery & { companyId: string },
): Promise<Page<ListedContact>> {
  return searchWithTimeout(db, async (tx) => {
    const rows = await find(tx, clock.now(), { companyId, limit, ...query })
    const archivedKeys = await readArchivedKeys(tx, companyId)
    const seen = await readSeen(
      tx,
      companyId,
      rows.map(({ id }) => id),
    )
    return toPage(rows, limit, (row) => ({
      ...viewContact(row, archivedKeys),
      ...(seen.get(row.id) ?? NEVER_SEEN),
    }))
  })
}

type Seen = Pick<ListedContact, 'channels' | 'lastSeenAt'>

/** The value to use for contacts without conversations, which the map of `readSeen` omits. */
export const NEVER_SEEN: Seen = { channels: [], lastSeenAt: null }

/**
 * Returns the channels on which each contact has a conversation, and the time of the last message that it sent, by
 * contact id. Contacts without conversations are omitted.
 */
export async function readSeen(
  tx: Transaction<DB>,
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, Seen>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('conversation')
    .select(({ fn }) => [
      'contactId',
      sql<ChannelType[]>`array_agg(distinct channel_type order by channel_type)`.as('channels'),
      fn.max('lastCustomerAt').as('lastSeenAt'),
    ])
    .where('companyId', '=', companyId)
    .where('contactId', 'in', ids)
    .groupBy('contactId')
    .execute()
  return new Map(
    rows.map(({ contactId, channels, lastSeenAt }) => [
      contactId!,
      { channels, lastSeenAt: lastSeenAt?.toISOString() ?? null },
    ]),
  )
}

type Query = ContactQuery & { companyId: string }

/**
 * Returns the matching contacts, and one more than the limit if there is a next page. Contacts with a tag are first
 * searched among the newest ones, where a frequent tag fills a page; a rare tag is then looked up by its index.
 */
async function find(tx: Transaction<DB>, now: Date, query: Query): Promise<ContactRow[]> {
  const { companyId, limit, q, tag, segmentId } = query
  const conditions = listConditions(query)
  if (segmentId !== undefined) {
    const { filter } = await loadSegment(tx, { companyId, segmentId })
    conditions.push(...filterConditions(companyId, filter, now))
  }
  if (q !== undefined) {
    conditions.push(await requireContactSearch(tx, sql`contact.id`, { companyId, text: q }))
  }
  if (tag === undefined) return select(tx, sql`contact`, conditions, limit)
  const hasTag = sql`contact.tags && ${spellingsOf(companyId, tag)}`
  if (q !== undefined) return select(tx, sql`contact`, [...conditions, hasTag], limit)
  const newest = sql`(select * from contact where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${SEARCH_LIMITS.newestLookedAt}) contact`
  const near = await select(tx, newest, [hasTag], limit)
  if (near.length > limit) return near
  const tagged = sql`contact.id = any(array(
    select id from contact where contact.company_id = ${companyId} and ${hasTag}))`
  return select(tx, sql`contact`, [...conditions, tagged], limit)
}

function listConditions({ companyId, cursor, optedOut, q }: Query): RawBuilder<unknown>[] {
  // Without a search the company is a subquery, unknown to the planner: for a company with most of all contacts it
  // would scan all companies by primary key, instead of `contact_recent`.
  const own = q === undefined ? sql`(select ${companyId}::uuid)` : sql`${companyId}`
  const conditions = [sql`contact.company_id = ${own}`]
  if (cursor !== undefined) conditions.push(sql`contact.id < ${cursor}`)
  if (optedOut === 'true') conditions.push(sql`contact.opted_out_at is not null`)
  if (optedOut === 'false') conditions.push(sql`contact.opted_out_at is null`)
  return conditions
}

async function select(
  tx: Transaction<DB>,
  from: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select contact.* from ${from} where ${sql.join(conditions, sql` and `)}
    order by contact.id desc limit ${limit + 1}`.execute(tx)
  return rows
}
