import { pageOf } from '../../infra/database/page-of.ts'
import type { Kysely, Selectable } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  ChunkView,
  KnowledgeOverview,
  SourceQuery,
  SourceView,
  SourceWithText,
} from '../../contract/dashboard/knowledge.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB, KnowledgeSource } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { SourceKind, SourceState } from '../../core/vocabulary/knowledge.ts'

/** The id of a source, with the company that must own it. */
export type OwnedSource = { companyId: string; sourceId: string }
/** A source without the bytes of its file or page. */
export type SourceRow = Omit<Selectable<KnowledgeSource>, 'content' | 'sha256'>

type Deps = Pick<Context, 'db'> & { formatFact: FormatFact }

const COLUMNS = [
  'id',
  'companyId',
  'kind',
  'title',
  'url',
  'fileName',
  'mediaType',
  'state',
  'error',
  'isOn',
  'revision',
  'servedRevision',
  'chunkCount',
  'dueAt',
  'claimId',
  'leaseExpiresAt',
  'attempt',
  'fetchedAt',
  'createdAt',
  'updatedAt',
] as const

/** Returns a page of the company's sources of knowledge, newest first, of one kind if it is given. */
export async function listSources(
  { db, formatFact }: Deps,
  { companyId, kind, limit, cursor }: SourceQuery & { companyId: string },
): Promise<Page<SourceView>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('knowledgeSource')
      .select(COLUMNS)
      .where('companyId', '=', companyId)
      .$if(kind !== undefined, (select) => select.where('kind', '=', kind!)),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, (row) => viewSource(formatFact, row))
}

/** Returns a source, with its text if it was written in the dashboard. @throws not_found */
export async function showSource(
  { db, formatFact }: Deps,
  owned: OwnedSource,
): Promise<SourceWithText> {
  const row = await requireSource(db.kysely, owned)
  const isWritten = row.kind === 'text' || row.kind === 'faq'
  if (!isWritten) return { ...viewSource(formatFact, row), text: null }
  const { content } = await db.kysely
    .selectFrom('knowledgeSource')
    .select('content')
    .where('id', '=', owned.sourceId)
    .executeTakeFirstOrThrow()
  return { ...viewSource(formatFact, row), text: content?.toString('utf8') ?? '' }
}

/**
 * Returns a page of a source's searchable chunks, in their order.
 * @param owned `after` is the position after which the page begins; `next` of the result begins the next page
 * @throws not_found
 */
export async function listChunks(
  { db }: Pick<Context, 'db'>,
  { after, ...owned }: OwnedSource & { after: number },
): Promise<{ items: ChunkView[]; next: number | null }> {
  await requireSource(db.kysely, owned)
  const maxItems = DASHBOARD_LIMITS.pageItemsDefault
  const rows = await db.kysely
    .selectFrom('knowledgeChunk')
    .select(['position', 'heading', 'body'])
    .where('companyId', '=', owned.companyId)
    .where('sourceId', '=', owned.sourceId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(maxItems + 1)
    .execute()
  const items = rows.slice(0, maxItems)
  return { items, next: rows.length > maxItems ? items.at(-1)!.position : null }
}

/** Returns how many sources and chunks the company has, their limits, and how many of the sources failed. */
export async function showKnowledge(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<KnowledgeOverview> {
  const counted = await db.kysely
    .selectFrom('knowledgeSource')
    .select((eb) => [
      eb.fn.countAll<number>().as('sources'),
      eb.fn.coalesce(eb.fn.sum<number>('chunkCount'), eb.val(0)).as('chunks'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'failed').as('failed'),
    ])
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  const { sources: maxSources, chunks: maxChunks } = KNOWLEDGE_LIMITS
  return {
    sources: counted.sources,
    maxSources,
    chunks: counted.chunks,
    maxChunks,
    failed: counted.failed,
  }
}

/** Loads a source of a company, without its content. @throws not_found */
export async function requireSource(
  db: Kysely<DB>,
  { companyId, sourceId }: OwnedSource,
): Promise<SourceRow> {
  return db
    .selectFrom('knowledgeSource')
    .select(COLUMNS)
    .where('id', '=', sourceId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_source')))
}

function viewSource(formatFact: FormatFact, row: SourceRow): SourceView {
  return {
    id: row.id,
    kind: row.kind as SourceKind,
    title: row.title,
    url: row.url,
    fileName: row.fileName,
    state: row.state as SourceState,
    isOn: row.isOn,
    error: row.error === null ? null : formatFact(parseFact(row.error)),
    chunks: row.chunkCount,
    fetchedAt: row.fetchedAt?.toISOString() ?? null,
    dueAt: row.dueAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
