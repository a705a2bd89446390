import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { EditSource, SourceWithText } from '../../contract/dashboard/knowledge.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import { ServiceError, wrongField, wrongFields } from '../../core/service-error.ts'
import { removeChunks } from './index-chunks.ts'
import { showSource, type OwnedSource } from './view-source.ts'

type Deps = Context & { formatFact: FormatFact }
type Change = EditSource & OwnedSource

/**
 * Changes the title or text of a source, or switches it off or on, and returns it. A change is searchable once the
 * source has been read again; until then searches find the old text. Switching off removes the source from the search
 * immediately.
 *
 * @throws not_found; invalid for the text of a file or page, and for a text that is too long for its kind
 */
export async function editSource(
  context: Deps,
  actor: Actor,
  change: Change,
): Promise<SourceWithText> {
  const { db, ids, clock } = context
  const { companyId, sourceId, ...values } = change
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const row = await lockSource(tx, change)
    if (values.text !== undefined && (row.kind === 'file' || row.kind === 'page')) {
      const why = fact('source_has_no_text_to_edit', { kind: row.kind })
      throw wrongField('text', why)
    }
    requireShort(row.kind, values)
    const isOn = values.isOn ?? row.isOn
    if (!isOn && row.isOn) await removeChunks(tx, { companyId, sourceId })
    const isChanged = values.title !== undefined || values.text !== undefined
    const mustBeRead = isOn && (isChanged || !row.isOn)
    await tx
      .updateTable('knowledgeSource')
      .set({
        ...(values.title !== undefined && { title: values.title }),
        ...(values.text !== undefined && { content: Buffer.from(values.text) }),
        isOn,
        updatedAt: now,
        revision: row.revision + (isChanged ? 1 : 0),
        ...(mustBeRead && DUE),
        ...(mustBeRead && { dueAt: now }),
        ...(!isOn && { ...DUE, state: 'ready', dueAt: null, chunkCount: 0, servedRevision: null }),
      })
      .where('id', '=', sourceId)
      .execute()
    const { title = row.title } = values
    await audit('knowledge_source.edited', { id: sourceId, companyId }, { title, isOn })
    if (mustBeRead) notifyAfterCommit(tx, 'knowledge')
  })
  return showSource(context, change)
}

/** Checks the lengths: a text may be longer than an answer, and a question longer than a title. @throws invalid */
function requireShort(kind: string, { title = '', text = '' }: EditSource): void {
  const { titleChars, questionChars, textChars, answerChars } = KNOWLEDGE_LIMITS
  const [maxTitle, maxText] =
    kind === 'faq' ? [questionChars, answerChars] : [titleChars, textChars]
  const errors = [
    { field: 'title', count: countCodePoints(title), max: maxTitle },
    { field: 'text', count: countCodePoints(text), max: maxText },
  ].flatMap(({ field, count, max }) =>
    count > max ? [{ field, ...fact('too_long', { min: 1, max, count }) }] : [],
  )
  if (errors.length > 0) throw wrongFields(errors)
}

/** Columns that make a source due. Clearing the claim means that a worker which is reading it changes nothing. */
const DUE = {
  state: 'waiting',
  error: null,
  attempt: 0,
  claimId: null,
  leaseExpiresAt: null,
} as const

/** Enqueues a source to be read again now, which also fetches its page. @throws not_found; conflict while it is off */
export async function readSourceAgain(context: Deps, owned: OwnedSource): Promise<SourceWithText> {
  const { db, clock } = context
  const now = clock.now()
  await transaction(db, async (tx) => {
    const row = await lockSource(tx, owned)
    if (!row.isOn) throw new ServiceError('conflict', fact('source_is_off'))
    await tx
      .updateTable('knowledgeSource')
      .set({ ...DUE, dueAt: now, updatedAt: now })
      .where('id', '=', owned.sourceId)
      .execute()
    notifyAfterCommit(tx, 'knowledge')
  })
  return showSource(context, owned)
}

/**
 * Deletes a source of knowledge with all its chunks.
 * @throws not_found
 */
export async function deleteSource(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, sourceId }: OwnedSource,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const { title } = await lockSource(tx, { companyId, sourceId })
    await removeChunks(tx, { companyId, sourceId })
    await tx.deleteFrom('knowledgeSource').where('id', '=', sourceId).execute()
    await audit('knowledge_source.deleted', { id: sourceId, companyId }, { title })
  })
}

async function lockSource(tx: Transaction<DB>, { companyId, sourceId }: OwnedSource) {
  return tx
    .selectFrom('knowledgeSource')
    .select(['kind', 'title', 'isOn', 'revision'])
    .where('id', '=', sourceId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_source')))
}
