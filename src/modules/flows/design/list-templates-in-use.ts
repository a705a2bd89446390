import type { Kysely } from 'kysely'
import { runInTimeSlices } from '../../connections/run-in-time-slices.ts'
import { searchDefinitions, type FoundVersion } from '../../connections/search-definitions.sql.ts'
import type { Context } from '../../../infra/context.ts'
import type { Page } from '../../../contract/dashboard/page.ts'
import type {
  ListedTemplate,
  TemplateQuery,
  TemplateUse,
} from '../../../contract/dashboard/template.ts'
import { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
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
  const texts = names.map((name) => JSON.stringify(name))
  const found = await searchDefinitions(db, { companyId, texts })
  // A definition may have a megabyte, so they are read in small batches with a pause after each.
  for (let at = 0; at < found.length; at += DEFINITIONS_AT_ONCE) {
    const versions = found.slice(at, at + DEFINITIONS_AT_ONCE)
    await runInTimeSlices(noteUses(uses, await loadDesigns(db, { companyId, versions })))
  }
  return uses
}

const DEFINITIONS_AT_ONCE = 10

type Design = Pick<FoundVersion, 'flowId' | 'name' | 'isDraft'> & { definition: string }

async function loadDesigns(
  db: Kysely<DB>,
  { companyId, versions }: { companyId: string; versions: readonly FoundVersion[] },
): Promise<Design[]> {
  const rows = await db
    .selectFrom('flowVersion')
    .select(['id', 'definition'])
    .where('companyId', '=', companyId)
    .where(
      'id',
      'in',
      versions.map(({ versionId }) => versionId),
    )
    .execute()
  const definitions = new Map(rows.map(({ id, definition }) => [id, definition]))
  // A draft that was replaced meanwhile is left out.
  return versions.flatMap(({ versionId, flowId, name, isDraft }) => {
    const definition = definitions.get(versionId)
    return definition === undefined ? [] : [{ flowId, name, isDraft, definition }]
  })
}

function* noteUses(
  uses: Map<string, TemplateUse[]>,
  designs: readonly Design[],
): Generator<undefined, void> {
  for (const { flowId: id, name, definition, isDraft } of designs) {
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
