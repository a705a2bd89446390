import { sql, type Selectable } from 'kysely'
import type { TemplateComponent } from '../channels/outbound.ts'
import { readTemplateSlots } from '../channels/template-slots.ts'
import type { Context } from '../../infra/context.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type { TemplateQuery, TemplateView } from '../../contract/dashboard/template.ts'
import { PROVIDER_LIMITS } from '../../core/limits/messaging.ts'
import type { Template as TemplateTable } from '../../infra/database/tables.ts'

/** Returns a page of the company's templates as last read from the provider, one entry per language. */
export async function listTemplates(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor, q = '', ...filters }: TemplateQuery & { companyId: string },
): Promise<Page<TemplateView>> {
  let query = db.kysely
    .selectFrom('template')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id')
    .limit(limit + 1)
  if (q !== '') query = query.where(sql<boolean>`strpos(lower(name), ${q.toLowerCase()}) > 0`)
  if (cursor !== undefined) query = query.where('id', '>', cursor)
  for (const column of ['channelId', 'name', 'status', 'language'] as const) {
    const value = filters[column]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  return toPage(await query.execute(), limit, viewTemplate)
}

/** The most templates of a channel that a sync stores. */
const MAX_OF_CHANNEL = PROVIDER_LIMITS.templatesPerPage * PROVIDER_LIMITS.templatePages

/** Returns all approved templates of a channel, sorted by name. */
export async function listApprovedTemplates(
  { db }: Pick<Context, 'db'>,
  owned: { companyId: string; channelId: string },
): Promise<TemplateView[]> {
  const query = { ...owned, status: 'APPROVED', limit: MAX_OF_CHANNEL }
  const { items } = await listTemplates({ db }, query)
  return items.toSorted((one, other) => one.name.localeCompare(other.name))
}

function viewTemplate(row: Selectable<TemplateTable>): TemplateView {
  const components = JSON.parse(row.components) as TemplateComponent[]
  const textOf = (type: string) =>
    components.find((component) => component.type.toUpperCase() === type)?.text ?? null
  return {
    id: row.id,
    channelId: row.channelId,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    parameterFormat: row.parameterFormat,
    header: textOf('HEADER'),
    body: textOf('BODY'),
    slots: readTemplateSlots(components),
    syncedAt: row.syncedAt.toISOString(),
  }
}
