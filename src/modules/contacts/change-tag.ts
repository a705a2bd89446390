import { pageOf } from '../../infra/database/page-of.ts'
import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { TagJobView } from '../../contract/dashboard/contact.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { renameInFilters } from './rename-in-filters.ts'
import { spellingsOf } from './tag-spellings.sql.ts'

/**
 * Starts a job that renames a tag on all contacts that have it, or removes it, and raises `contact.updated` for each.
 * A company has one such job at a time.
 *
 * @throws invalid when no contact has it; conflict
 * Spec: Contacts › Tags.
 */
export async function changeTag(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, tag, newTag }: { companyId: string; tag: string; newTag: string | null },
): Promise<TagJobView> {
  const id = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { rows } = await sql<{ known: string[] }>`
      select ${spellingsOf(companyId, tag)} as known`.execute(tx)
    if (rows[0]!.known.length === 0) {
      throw wrongField('tag', fact('no_such_tag', { tag }))
    }
    notifyAfterCommit(tx, 'contacts')
    const job = { id, tag, newTag, state: 'running', changed: 0 }
    await tx
      .insertInto('contactTagJob')
      .values({ ...job, companyId, dueAt: now, createdBy: actor.personId, createdAt: now })
      .execute()
    if (newTag !== null) {
      await renameInFilters(tx, now, { companyId, tag, newTag }, { isDone: false })
    }
    const action = newTag === null ? 'tag.deleted' : 'tag.renamed'
    await audit(action, { kind: 'tag_job', id, companyId }, { tag, newTag })
    return viewTagJob(job)
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'contact_tag_job_running')) throw error
    throw new ServiceError('conflict', fact('tag_job_under_way'))
  })
}

/** Returns a page of the company's jobs that rename or remove a tag, newest first. */
export async function listTagJobs(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: { companyId: string } & PageQuery,
): Promise<Page<TagJobView>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('contactTagJob')
      .select(['id', 'tag', 'newTag', 'state', 'changed'])
      .where('companyId', '=', companyId),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, viewTagJob)
}

type TagJobRow = { id: string; tag: string; newTag: string | null; state: string; changed: number }

function viewTagJob({ id, tag, newTag, state, changed }: TagJobRow): TagJobView {
  return { id, tag, newTag, isDone: state === 'done', changed }
}
