import { sql, type Kysely } from 'kysely'
import { runInTimeSlices } from '../../connections/run-in-time-slices.ts'
import type { Context } from '../../../infra/context.ts'
import type { Page } from '../../../contract/dashboard/page.ts'
import type {
  ListedTemplate,
  TemplateQuery,
  TemplateUse,
} from '../../../contract/dashboard/template.ts'
import { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { TEMPLATE_LIMITS } from '../../../core/limits/messaging.ts'
import { countTemplates } from '../../messaging/count-templates.sql.ts'
import { listTemplates } from '../../messaging/list-templates.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'

/**
 * Returns a page of the company's templates, each with the published flows and drafts that send it and its counts of
 * the last seven days.
 */
export async function listTemplatesInUse(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  query: TemplateQuery & { companyId: string },
): Promise<Page<ListedTemplate>> {
  const { items, nextCursor } = await listTemplates({ db }, query)
  if (items.length === 0) return { items: [], nextCursor }
  const since = new Date(clock.now().getTime() - TEMPLATE_LIMITS.countedDaysMs)
  const uses = await findUses(db.kysely, {
    companyId: query.companyId,
    names: [...new Set(items.map(({ name }) => name))],
  })
  const weeks = await countTemplates(db.kysely, items, since)
  return {
    items: items.map((template, index) => ({
      ...template,
      usedBy: uses.get(keyOf(template.channelId, template.name)) ?? [],
      week: weeks[index]!,
    })),
    nextCursor,
  }
}

const keyOf = (channelId: string, template: string) => `${channelId} ${template}`

/** Returns the flows that send a template with one of these names, by channel and name, oldest first. */
async function findUses(
  db: Kysely<DB>,
  { companyId, names }: { companyId: string; names: readonly string[] },
): Promise<Map<string, TemplateUse[]>> {
  const uses = new Map<string, TemplateUse[]>()
  // Only definitions that contain one of the names are loaded.
  const written = names.map((name) => JSON.stringify(name))
  const found = await db
    .selectFrom('flow')
    .select('id')
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .limit(FLOW_LIMITS.flowsLookedThrough)
    .execute()
  // A definition may have a megabyte, so they are read in small batches with a pause after each.
  for (let at = 0; at < found.length; at += FLOWS_AT_ONCE) {
    const flowIds = found.slice(at, at + FLOWS_AT_ONCE).map(({ id }) => id)
    const rows = await findDesigns(db, { companyId, flowIds, written })
    await runInTimeSlices(noteUses(uses, rows))
  }
  return uses
}

const FLOWS_AT_ONCE = 10

type Design = { id: string; name: string; definition: string; isDraft: boolean }

/** Loads the definitions, published or draft, of these flows that contain one of the texts. */
async function findDesigns(
  db: Kysely<DB>,
  {
    companyId,
    flowIds,
    written,
  }: { companyId: string; flowIds: readonly string[]; written: readonly string[] },
): Promise<Design[]> {
  const { rows } = await sql<Design>`
    select flow.id, flow.name, version.definition, version.published_at is null as is_draft
    from (
      select id, name, published_version_id from flow
      where company_id = ${companyId} and id = any(${flowIds}::uuid[])
    ) flow
    cross join lateral (
      select definition, published_at from flow_version where id = flow.published_version_id
      union all
      (select definition, published_at from (
        select definition, published_at from flow_version where flow_id = flow.id
        order by number desc limit 1
      ) last where published_at is null)
    ) version
    where exists (select from unnest(${written}::text[]) as wanted (name)
      where strpos(version.definition, wanted.name) > 0)
    order by flow.id`.execute(db)
  return rows
}

function* noteUses(
  uses: Map<string, TemplateUse[]>,
  designs: readonly Design[],
): Generator<undefined, void> {
  for (const { id, name, definition, isDraft } of designs) {
    for (const key of templatesOf(FlowDraft.parse(JSON.parse(definition)))) {
      const known = uses.get(key) ?? []
      const use = known.find((one) => one.id === id)
      if (!use) known.push({ id, name, inPublished: !isDraft, inDraft: isDraft })
      else if (isDraft) use.inDraft = true
      else use.inPublished = true
      uses.set(key, known)
    }
    yield
  }
}

/** Returns the templates that the steps send, each once. */
function templatesOf({ channelId, steps }: FlowDraft): Set<string> {
  const names = Object.values(steps).flatMap((step) => designOf(step).template?.(step).name ?? [])
  return new Set(names.map((name) => keyOf(channelId.toLowerCase(), name)))
}
