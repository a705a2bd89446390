import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { LeadCounts, LeadQuery, LeadView } from '../../contract/dashboard/lead.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { requireContactSearch } from '../messaging/find-contacts.sql.ts'
import { searchWithTimeout } from '../messaging/search-with-timeout.ts'
import { LEAD_STATUSES, type LeadStatus } from '../../core/vocabulary/leads.ts'
import type { LeadRow } from './lead.ts'
import { viewLeads } from './view-leads.ts'

type Deps = Pick<Context, 'db'>
type LeadsRequest = LeadQuery & { companyId: string }
type Placed = LeadRow & { placedBy: string }

/** The orders match the indexes. A lead without a score follows those with 0. */
const ORDERS = {
  newest: {
    by: sql`lead.created_at`,
    shown: sql`to_char(lead.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    type: sql`timestamptz`,
  },
  best: {
    by: sql`coalesce(lead.score, -1)`,
    shown: sql`coalesce(lead.score, -1)::text`,
    type: sql`int`,
  },
}

/**
 * Returns a page of the company's leads, newest or highest score first. A search that takes longer than half a second
 * is refused.
 * @throws invalid for a search that is too short, or finds too much
 * Spec: Leads › Lists; Contacts › Search.
 */
export async function listLeads({ db }: Deps, request: LeadsRequest): Promise<Page<LeadView>> {
  return searchWithTimeout(db, async (tx) => {
    const rows = await find(tx, request)
    const shown = new Map((await viewLeads(tx, rows)).map((lead) => [lead.id, lead]))
    return toOrderedPage(
      rows,
      request.limit,
      ({ id, placedBy }) => ({ by: placedBy, id }),
      ({ id }) => shown.get(id)!,
    )
  })
}

async function find(db: Kysely<DB>, request: LeadsRequest): Promise<Placed[]> {
  const { companyId, cursor, limit, sort, q } = request
  const { by, shown, type } = ORDERS[sort]
  const conditions = [sql`lead.company_id = ${companyId}`, ...filterConditions(request)]
  if (q !== undefined) {
    conditions.push(await requireContactSearch(db, sql`lead.contact_id`, { companyId, text: q }))
  }
  if (cursor) conditions.push(sql`(${by}, lead.id) < (${cursor.by}::${type}, ${cursor.id}::uuid)`)
  const { rows } = await sql<Placed>`
    select lead.*, ${shown} as placed_by from lead where ${sql.join(conditions, sql` and `)}
    order by ${by} desc, lead.id desc limit ${limit + 1}`.execute(db)
  return rows
}

function filterConditions({
  status,
  temperature,
  ownerId,
  contactId,
}: LeadsRequest): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (status !== undefined) conditions.push(sql`lead.status = ${status}`)
  if (temperature !== undefined) conditions.push(sql`lead.temperature = ${temperature}`)
  if (contactId !== undefined) conditions.push(sql`lead.contact_id = ${contactId}`)
  if (ownerId === 'none') conditions.push(sql`lead.owner_id is null`)
  else if (ownerId !== undefined) conditions.push(sql`lead.owner_id = ${ownerId}`)
  return conditions
}

/** Returns the number of leads with each status, each counted up to `max`, which the result names. */
export async function countLeads({ db }: Deps, companyId: string): Promise<LeadCounts> {
  const max = LEAD_LIMITS.maxCounted
  const counts = LEAD_STATUSES.map(
    (status) => sql`(select count(*)::int from (select from lead
      where company_id = ${companyId} and status = ${status} limit ${max}) found) as ${sql.id(status)}`,
  )
  const { rows } = await sql<Record<LeadStatus, number>>`select ${sql.join(counts)}`.execute(
    db.kysely,
  )
  return { ...rows[0]!, max }
}
