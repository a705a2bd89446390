import { sql, type Selectable, type Transaction } from 'kysely'
import type { PagedJob } from '../../infra/database/queues/pages.ts'
import type { ContactTagJob, DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { CONTACT_JOBS } from '../../core/limits/contacts.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { nextPageAt } from './next-page-at.sql.ts'
import { renameInFilters } from './rename-in-filters.ts'
import { spellingsOf } from './tag-spellings.sql.ts'

/**
 * The paged jobs that rename or remove a tag. A page is the next contacts that still have the tag, so an interrupted page
 * can be repeated.
 */
export const TAG_JOBS: PagedJob<'contactTagJob', { ids: Ids }> = {
  ...CONTACT_JOBS,
  table: 'contactTagJob',
  step: processPage,
}

async function processPage(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  job: Selectable<ContactTagJob>,
) {
  const { companyId, tag, newTag } = job
  const { name } = await tx
    .selectFrom('company')
    .select('name')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  const company = { id: companyId, name }
  // Contacts with the new spelling are unchanged.
  const wrong = sql`array_remove(${spellingsOf(companyId, tag)}, ${newTag})`
  const { rows } = await sql<{ id: string; spellings: string[] }>`
    select id, spelt.spellings from contact, (select ${wrong} as spellings) spelt
    where company_id = ${companyId} and tags && ${wrong}
    order by id limit ${CONTACT_JOBS.page}`.execute(tx)
  // All spellings are removed from every contact: one that kept a spelling would be found again by the next page.
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
  return {
    changed: job.changed + rows.length,
    ...(isDone
      ? { state: 'done', dueAt: null, endedAt: deps.now }
      : { dueAt: await nextPageAt(tx, { companyId, events: rows.length, now: deps.now }) }),
  }
}
