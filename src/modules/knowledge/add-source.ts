import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { AddSource, SourceWithText, UploadSource } from '../../contract/dashboard/knowledge.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { requirePublicUrl } from '../endpoints/require-public-url.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { knowledgeFileKind } from '../../rules/knowledge/knowledge-file.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { SourceKind } from '../../core/vocabulary/knowledge.ts'
import { showSource } from './view-source.ts'

type Deps = Context & { formatFact: FormatFact; addressGuard: AddressGuard }

/** A source to insert. `content` is null for a page, which a worker fetches. */
type NewSource = {
  kind: SourceKind
  title: string
  url: string | null
  fileName: string | null
  mediaType: string | null
  content: Buffer | null
}

/**
 * Adds a text, a question with its answer, or a web page as a source of the assistant's knowledge, and returns it. A
 * worker reads it after the commit.
 * @throws limit_reached; invalid for a page that is not public
 *
 * Spec: Assistant › Knowledge.
 */
export async function addSource(
  context: Deps,
  actor: Actor,
  { companyId, ...input }: AddSource & { companyId: string },
): Promise<SourceWithText> {
  return insertSource(context, actor, companyId, await readInput(context, input))
}

/**
 * Adds an uploaded document as a source of the assistant's knowledge, and returns it.
 * @throws invalid for an unsupported kind of document; limit_reached
 */
export async function uploadSource(
  context: Deps,
  actor: Actor,
  { companyId, name, bytes }: UploadSource & { companyId: string; bytes: Buffer },
): Promise<SourceWithText> {
  if (bytes.length === 0) throw refused(fact('file_empty'))
  const kind = knowledgeFileKind(name, bytes)
  if (!kind.ok) {
    const isUnknown = kind.reason === 'unknown'
    throw refused(isUnknown ? fact('source_file_type') : fact('source_file_differs', { name }))
  }
  const source: NewSource = {
    kind: 'file',
    title: name.replace(/\.[^.]*$/, '') || name,
    url: null,
    fileName: name,
    mediaType: kind.value,
    content: bytes,
  }
  return insertSource(context, actor, companyId, source)
}

async function readInput({ addressGuard }: Deps, input: AddSource): Promise<NewSource> {
  const none = { url: null, fileName: null, mediaType: null }
  switch (input.kind) {
    case 'text':
      return { ...none, kind: 'text', title: input.title, content: Buffer.from(input.text) }
    case 'faq':
      return { ...none, kind: 'faq', title: input.question, content: Buffer.from(input.answer) }
    case 'page': {
      const url = await requirePublicUrl(addressGuard, 'page', input.url.replace(/#[^]*$/, ''))
      return { ...none, kind: 'page', title: titleOfPage(url), url, content: null }
    }
  }
}

/** Returns the title of a page until it has been fetched, and its own title is known. */
function titleOfPage(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, KNOWLEDGE_LIMITS.titleChars)
}

async function insertSource(
  context: Deps,
  actor: Actor,
  companyId: string,
  source: NewSource,
): Promise<SourceWithText> {
  const { db, ids, clock } = context
  const id = ids.uuid()
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    await requireRoom(tx, companyId)
    await tx
      .insertInto('knowledgeSource')
      .values({
        id,
        companyId,
        ...source,
        sha256: source.content && createHash('sha256').update(source.content).digest(),
        state: 'waiting',
        revision: 1,
        dueAt: now,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    const { kind, title, url } = source
    await audit(
      'knowledge_source.added',
      { id, companyId },
      { kind, title, ...(url !== null && { url }) },
    )
    notifyAfterCommit(tx, 'knowledge')
  })
  return showSource(context, { companyId, sourceId: id })
}

/** Checks that a company has room for another source. @throws limit_reached */
async function requireRoom(tx: Transaction<DB>, companyId: string): Promise<void> {
  const max = KNOWLEDGE_LIMITS.sources
  await requireBelowLimit(
    tx.selectFrom('knowledgeSource').where('companyId', '=', companyId),
    max,
    fact('sources_full', { max }),
  )
}

function refused(why: Fact): ServiceError {
  return new ServiceError('invalid', why)
}
