import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import { toPage, type Page } from '../../../contract/dashboard/page.ts'
import type { RunQuery, RunView } from '../../../contract/dashboard/run.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { requireContactSearch } from '../../messaging/find-contacts.sql.ts'
import { searchWithTimeout } from '../../messaging/search-with-timeout.ts'
import { readPhone } from '../../../rules/messaging/phone-reading.ts'
import type { EndReason, RunStatus, TriggerKind } from '../../../core/vocabulary/flows.ts'

/**
 * Returns a page of the company's runs that match the filters, newest first. An unreadable phone number matches none.
 * @throws invalid for a search that is too short, or matches too many to finish in time.
 */
export async function listRuns(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  query: RunQuery & { companyId: string },
): Promise<Page<RunView>> {
  if (query.q === undefined) return listFound({ db: db.kysely, formatFact }, query, null)
  const { companyId, q: text } = query
  return searchWithTimeout(db, async (tx) => {
    const found = await requireContactSearch(tx, sql`flow_run.contact_id`, { companyId, text })
    return listFound({ db: tx, formatFact }, query, found)
  })
}

async function listFound(
  { db, formatFact }: { db: Kysely<DB>; formatFact: FormatFact },
  { companyId, limit, cursor, ...filters }: RunQuery & { companyId: string },
  found: RawBuilder<unknown> | null,
): Promise<Page<RunView>> {
  const conditions = [sql`true`]
  if (cursor !== undefined) conditions.push(sql`flow_run.id < ${cursor}`)
  if (filters.status !== undefined) conditions.push(sql`flow_run.status = ${filters.status}`)
  if (filters.from !== undefined) conditions.push(sql`flow_run.created_at >= ${filters.from}`)
  if (filters.to !== undefined) conditions.push(sql`flow_run.created_at < ${filters.to}`)
  const fits = sql<boolean>`${sql.join(conditions, sql` and `)}`
  let runs = selectRuns(db, companyId)
    .where(fits)
    .orderBy('flowRun.id', 'desc')
    .limit(limit + 1)
  if (found !== null) runs = runs.where(sql<boolean>`${found}`)
  if (filters.flowId !== undefined) runs = runs.where('flowRun.flowId', '=', filters.flowId)
  if (filters.contactId !== undefined) {
    runs = runs.where('flowRun.contactId', '=', filters.contactId)
  }
  const isOfCompany = [found, filters.flowId, filters.contactId, filters.phone].every((one) => !one)
  if (isOfCompany) {
    // The newest runs of each flow are read in the order of its index.
    runs = runs.where(sql<boolean>`flow_run.id in (
      select newest.id from flow cross join lateral (
        select id from flow_run where flow_run.flow_id = flow.id and ${fits}
        order by id desc limit ${limit + 1}) newest
      where flow.company_id = ${companyId}
      order by newest.id desc limit ${limit + 1})`)
  }
  if (filters.phone !== undefined) {
    const phone = readPhone(filters.phone, '')
    if (!phone.ok) return { items: [], nextCursor: null }
    const contacts = await db
      .selectFrom('contact')
      .select('id')
      .where('companyId', '=', companyId)
      .where('phone', '=', phone.value)
      .execute()
    if (contacts.length === 0) return { items: [], nextCursor: null }
    const ids = contacts.map(({ id }) => id)
    runs = runs.where('flowRun.contactId', 'in', ids)
  }
  return toPage(await runs.execute(), limit, (row) => viewRun(formatFact, row))
}

/** Returns the query of a company's runs with the columns that `viewRun` needs. */
export function selectRuns(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('flowRun')
    .innerJoin('flow', 'flow.id', 'flowRun.flowId')
    .innerJoin('flowVersion', 'flowVersion.id', 'flowRun.flowVersionId')
    .leftJoin('contact', 'contact.id', 'flowRun.contactId')
    .select([
      'flowRun.id',
      'flowRun.flowId',
      'flow.name as flowName',
      'flowVersion.number as versionNumber',
      'flowRun.triggerKind',
      'flowRun.status',
      'flowRun.endReason',
      'flowRun.endDetail',
      'flowRun.contactId',
      'contact.name as contactName',
      'contact.phone as contactPhone',
      'flowRun.conversationId',
      'flowRun.language',
      'flowRun.createdAt',
      'flowRun.endedAt',
    ])
    .where('flowRun.companyId', '=', companyId)
}

type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>

/** Converts a run to its view. */
export function viewRun(formatFact: FormatFact, row: RunRow): RunView {
  return {
    id: row.id,
    flow: { id: row.flowId, name: row.flowName },
    versionNumber: row.versionNumber,
    triggerKind: row.triggerKind as TriggerKind,
    status: row.status as RunStatus,
    endReason: row.endReason as EndReason | null,
    endDetail: row.endDetail === null ? null : formatFact(parseFact(row.endDetail)),
    contact: row.contactId
      ? { id: row.contactId, name: row.contactName, phone: row.contactPhone }
      : null,
    conversationId: row.conversationId,
    language: row.language,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
