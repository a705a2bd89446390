import { sql, type Transaction } from 'kysely'
import type { Context } from '../context.ts'
import { nextJobStep, stepDueJobs } from '../database/step-jobs.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { CONTACT_JOBS } from '../limits/contacts.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { nextPageAt } from './next-page-at.sql.ts'
import { renameInFilters } from './rename-in-filters.ts'
import { spellingsOf } from './tag-spellings.sql.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'ids' | 'log'>

/**
 * Takes each job of tags that is due one page on: so many of the contacts that still have the tag. What was
 * cut off is done anew: a contact that has been changed has the tag no more. Returns how many jobs were stepped.
 *
 * Isolation: a job's row is locked with `skip locked`, so that nodes share the jobs and never both step one.
 */
export function stepTagJobs(context: Deps): Promise<number> {
  const { ids } = context
  return stepDueJobs(context, 'contact_tag_job', CONTACT_JOBS, (tx, id, now) =>
    stepJob(tx, { ids, now }, id),
  )
}

/** When the next page of any job is due; null when none runs. */
export function nextTagJobStep({ db }: Pick<Context, 'db'>): Promise<Date | null> {
  return nextJobStep(db.kysely, 'contact_tag_job')
}

async function stepJob(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  jobId: string,
): Promise<boolean> {
  const job = await tx
    .selectFrom('contactTagJob')
    .innerJoin('company', 'company.id', 'contactTagJob.companyId')
    .selectAll('contactTagJob')
    .select('company.name as companyName')
    .where('contactTagJob.id', '=', jobId)
    .where('dueAt', '<=', deps.now)
    .forUpdate('contactTagJob')
    .skipLocked()
    .executeTakeFirst()
  if (!job) return false
  const { companyId, tag, newTag } = job
  const company = { id: companyId, name: job.companyName }
  // Spelt as it is to be, it stays.
  const wrong = sql`array_remove(${spellingsOf(companyId, tag)}, ${newTag})`
  const { rows } = await sql<{ id: string; spellings: string[] }>`
    select id, spelt.spellings from contact, (select ${wrong} as spellings) spelt
    where company_id = ${companyId} and tags && ${wrong}
    order by id limit ${CONTACT_JOBS.page}`.execute(tx)
  // All that were looked for, so that a page never comes twice.
  const removeTags = [tag, ...(rows[0]?.spellings ?? [])]
  const change = { removeTags, addTags: newTag === null ? [] : [newTag] }
  await editContacts(
    tx,
    deps,
    rows.map(({ id }) => ({ company, contactId: id, ...change })),
  )
  const isDone = rows.length < CONTACT_JOBS.page
  if (isDone) {
    if (newTag !== null) {
      await renameInFilters(tx, deps.now, { companyId, tag, newTag }, { isDone })
    }
    await sql`delete from contact_tag where company_id = ${companyId} and tag = any(${wrong})`.execute(
      tx,
    )
  }
  await tx
    .updateTable('contactTagJob')
    .set({
      changed: job.changed + rows.length,
      ...(isDone
        ? { state: 'done', dueAt: null, endedAt: deps.now }
        : { dueAt: await nextPageAt(tx, { companyId, events: rows.length, now: deps.now }) }),
    })
    .where('id', '=', jobId)
    .where('companyId', '=', companyId)
    .execute()
  return true
}
