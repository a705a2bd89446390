import { sql, type Kysely } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { requireContactSearch } from '../messaging/find-contacts.sql.ts'
import { searchWithTimeout } from '../messaging/search-with-timeout.ts'
import type { Context } from '../../infra/context.ts'
import type {
  ConversationCounts,
  ConversationQuery,
  ConversationTab,
  ConversationView,
} from '../../contract/dashboard/conversation.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import type { ConversationRow } from '../messaging/conversation.ts'
import {
  inboxFilterConditions,
  tabCondition,
  minuteOf,
  ORDERS,
  DEFAULT_SORT,
} from './conversations-found.sql.ts'
import { viewConversations } from './view-conversations.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/**
 * Returns a tab of the inbox in its order, or in the requested one.
 * @throws invalid for a search that is too short, or finds too much
 *
 * Spec: Inbox › Lists; Contacts › Search.
 */
export async function listConversations(
  { db, clock }: Deps,
  { personId }: Pick<Actor, 'personId'>,
  query: ConversationQuery & { companyId: string },
): Promise<Page<ConversationView>> {
  const now = clock.now()
  const { limit } = query
  const rows =
    query.q === undefined
      ? await find(db.kysely, personId, query, now)
      : await searchWithTimeout(db, (tx) => find(tx, personId, query, now))
  const shown = await viewConversations(db.kysely, rows, now)
  const views = new Map(shown.map((one) => [one.id, one]))
  return toOrderedPage(
    rows,
    limit,
    ({ id, placedBy }) => ({ by: placedBy, id }),
    ({ id }) => views.get(id)!,
  )
}

async function find(
  db: Kysely<DB>,
  personId: string,
  {
    companyId,
    tab,
    sort,
    limit,
    cursor,
    q,
    waitingMinutes,
    closingMinutes,
    ...filter
  }: ConversationQuery & { companyId: string },
  now: Date,
): Promise<(ConversationRow & { placedBy: string })[]> {
  const { by, isDescending, minute } = ORDERS[sort ?? DEFAULT_SORT[tab]]
  const conditions = [
    sql`conversation.company_id = ${companyId}`,
    tabCondition(tab, personId, now),
    ...inboxFilterConditions(filter),
  ]
  if (q !== undefined) {
    const column = sql`conversation.contact_id`
    conditions.push(await requireContactSearch(db, column, { companyId, text: q }))
  }
  if (waitingMinutes !== undefined) {
    const since = new Date(now.getTime() - waitingMinutes * MINUTE_MS)
    conditions.push(sql`conversation.waiting_since <= ${since}`)
  }
  if (closingMinutes !== undefined) {
    const end = sql`conversation.service_window_ends_at`
    const until = new Date(now.getTime() + closingMinutes * MINUTE_MS)
    conditions.push(sql`${end} > ${now}`, sql`${end} <= ${until}`)
  }
  if (sort === 'closing') conditions.push(sql`${by} > ${now}`)
  if (cursor) {
    if (minute) conditions.push(sql`${minute} <= ${minuteOf(cursor.by)}`)
    conditions.push(
      isDescending
        ? sql`(${by}, conversation.id) < (${cursor.by}::timestamptz, ${cursor.id})`
        : sql`(${by}, conversation.id) > (${cursor.by}::timestamptz, ${cursor.id})`,
    )
  }
  const keys = [...(minute ? [minute] : []), by, sql`conversation.id`]
  const order = sql.join(keys.map((key) => (isDescending ? sql`${key} desc` : key)))
  const { rows } = await sql<ConversationRow & { placedBy: string }>`
    select conversation.*,
      case when isfinite(${by}) then to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        else 'infinity' end as placed_by
    from conversation where ${sql.join(conditions, sql` and `)}
    order by ${order} limit ${limit + 1}`.execute(db)
  return rows
}

const COUNTED: readonly ConversationTab[] = [
  'mine',
  'unassigned',
  'staff',
  'assistant',
  'open',
  'resolved',
]

/** Returns the number of conversations in each tab, each counted up to `max`, which the result names. */
export async function countConversations(
  { db, clock }: Deps,
  { personId }: Pick<Actor, 'personId'>,
  companyId: string,
): Promise<ConversationCounts> {
  const now = clock.now()
  const max = INBOX_LIMITS.maxCounted
  const counts = COUNTED.map(
    (tab) => sql`(select count(*)::int from (
      select from conversation
      where conversation.company_id = ${companyId} and ${tabCondition(tab, personId, now)}
      limit ${max}) found) as ${sql.id(tab)}`,
  )
  const { rows } = await sql<Record<ConversationTab, number>>`select ${sql.join(counts)}`.execute(
    db.kysely,
  )
  return { ...rows[0]!, max }
}
