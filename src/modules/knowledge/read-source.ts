import { KNOWLEDGE_ENGINE } from '../../core/limits/knowledge.ts'
import { createHash } from 'node:crypto'
import type { Context } from '../../infra/context.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import type { OutboundClient } from '../../infra/egress/outbound-client.ts'
import type { KnowledgeFileKind } from '../../core/vocabulary/knowledge.ts'
import type { ClaimedSource } from './source-queue.ts'
import { fetchPage } from './fetch-page.ts'
import { prepareSource, type PreparedSource } from './prepare-chunks.ts'
import { readInThread } from './read/read-in-thread.ts'
import { blocksOfText } from './read/blocks-of-text.ts'
import { settleFailed, settleRead, settleUnchanged } from './settle-source.ts'

/** The dependencies of reading a source. */
export type ReadDeps = Context & { outbound: Pick<OutboundClient, 'send'> }

/**
 * Reads a claimed source, after fetching its page, and stores its text or the reason of the failure. Searches find
 * the previous text until then, and after a failure.
 */
export async function readSource(deps: ReadDeps, source: ClaimedSource): Promise<void> {
  const { db, clock } = deps
  // Every earlier attempt crashed its process.
  if (source.kind !== 'page' && source.attempt > KNOWLEDGE_ENGINE.fileAttempts) {
    return settleFailed(db, source, { why: fact('source_broken'), now: clock.now() })
  }
  if (source.kind === 'page') return readPage(deps, source)
  const { content } = await db.kysely
    .selectFrom('knowledgeSource')
    .select('content')
    .where('id', '=', source.id)
    .executeTakeFirstOrThrow()
  const bytes = content ?? Buffer.alloc(0)
  if (source.kind === 'file') {
    return readBytes(deps, source, { bytes, kind: source.mediaType as KnowledgeFileKind })
  }
  const text = bytes.toString('utf8')
  const blocks =
    source.kind === 'faq'
      ? ([
          { kind: 'heading', text: source.title },
          { kind: 'whole', text },
        ] as const)
      : blocksOfText(text)
  const prepared = prepareSource(source.title, blocks)
  const why = prepared.chunks.length === 0 ? fact('source_empty') : null
  await settle(deps, source, why ? { ok: false, why } : { ok: true, prepared, title: null })
}

async function readPage(deps: ReadDeps, source: ClaimedSource): Promise<void> {
  const { db, clock } = deps
  const page = await fetchPage(deps, source.url!)
  if (!page.ok) return settleFailed(db, source, { why: page.why, now: clock.now() })
  const sha256 = createHash('sha256').update(page.bytes).digest()
  if (source.chunkCount > 0 && (await isUnchanged(deps, source, sha256))) {
    return settleUnchanged(db, source, clock.now())
  }
  const isPlain = page.mediaType.toLowerCase().startsWith('text/plain')
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(page.mediaType)?.[1] ?? null
  const kind = isPlain ? 'txt' : 'html'
  await readBytes(deps, source, { bytes: page.bytes, kind, charset, fetched: { ...page, sha256 } })
}

/** Returns whether the fetched page is the one that searches find. */
async function isUnchanged({ db }: ReadDeps, { id, revision }: ClaimedSource, sha256: Buffer) {
  const known = await db.kysely
    .selectFrom('knowledgeSource')
    .select('id')
    .where('id', '=', id)
    .where('sha256', '=', sha256)
    .where('servedRevision', '=', revision)
    .executeTakeFirst()
  return known !== undefined
}

type Fetched = { bytes: Buffer; mediaType: string; sha256: Buffer }

async function readBytes(
  deps: ReadDeps,
  source: ClaimedSource,
  {
    bytes,
    kind,
    charset = null,
    fetched,
  }: { bytes: Buffer; kind: KnowledgeFileKind; charset?: string | null; fetched?: Fetched },
): Promise<void> {
  // A page gets another revision only when a member edits its title.
  const keepsTitle = source.kind === 'page' && source.revision > 1
  const read = await readInThread({ kind, bytes, charset, title: source.title, keepsTitle })
  await settle(deps, source, read.ok ? { ...read, ...(fetched && { fetched }) } : read)
}

type Outcome =
  | { ok: true; prepared: PreparedSource; title: string | null; fetched?: Fetched }
  | { ok: false; why: Fact }

async function settle(deps: ReadDeps, source: ClaimedSource, outcome: Outcome): Promise<void> {
  const now = deps.clock.now()
  if (!outcome.ok) return settleFailed(deps.db, source, { why: outcome.why, now })
  const why = await settleRead(deps, source, { ...outcome, now })
  if (why) await settleFailed(deps.db, source, { why, now })
}
