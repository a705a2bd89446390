import type { Transaction } from 'kysely'
import { lookUpByIndexes } from '../../../infra/database/prefer-index-order.ts'
import type { PagedJob } from '../../../infra/database/queues/pages.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import type { Ids } from '../../../core/ids.ts'
import { CONTACT_JOBS, IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import { nextPageAt } from '../next-page-at.sql.ts'
import { importPage } from './import-page.ts'
import { saveReadRows, loadRows } from './import-row-store.sql.ts'
import { planRows } from './plan-rows.ts'
import { readImportPage } from './read-import-page.ts'
import { FIRST_ROW, type ImportJob } from './view-import.ts'

/** The paged jobs of contact imports. A page is read from the file, planned or imported, depending on the job's state. */
export const IMPORT_JOBS: PagedJob<'contactImport', { ids: Ids }> = {
  ...CONTACT_JOBS,
  table: 'contactImport',
  async step(tx, deps, job) {
    await lookUpByIndexes(tx)
    return processPage(tx, deps, job)
  },
}

type StepDeps = { ids: Ids; now: Date }

/** Processes the next page. A check reads the whole file, and then plans every row. */
function processPage(
  tx: Transaction<DB>,
  deps: StepDeps,
  job: ImportJob,
): Promise<Partial<ImportJob>> {
  if (job.state === 'running') return importNextPage(tx, deps, job)
  return job.rowsFound === null ? readNext(tx, deps, job) : planPage(tx, deps, job)
}

async function readNext(
  tx: Transaction<DB>,
  { now }: StepDeps,
  job: ImportJob,
): Promise<Partial<ImportJob>> {
  if (job.nextByte >= job.size)
    return { rowsFound: job.nextRow - FIRST_ROW, nextRow: FIRST_ROW, dueAt: now }
  const { rows, end } = await readImportPage(tx, job)
  const nextRow = job.nextRow + rows.length
  const max = IMPORT_LIMITS.rows
  if (nextRow - FIRST_ROW > max) return failed(now, fact('import_too_many_rows', { max }))
  if (rows.length > 0) await saveReadRows(tx, job.id, rows)
  return { nextByte: end, nextRow, dueAt: now }
}

async function planPage(
  tx: Transaction<DB>,
  { now }: StepDeps,
  job: ImportJob,
): Promise<Partial<ImportJob>> {
  const limit = IMPORT_LIMITS.checkPage
  const rows = await loadRows(tx, job.id, { from: job.nextRow, limit })
  const counts = rows.length === 0 ? {} : await planRows(tx, now, job, rows)
  const progress = { ...counts, nextRow: (rows.at(-1)?.number ?? job.nextRow - 1) + 1 }
  if (rows.length < limit) return { ...progress, state: 'checked', dueAt: null }
  return { ...progress, dueAt: now }
}

async function importNextPage(
  tx: Transaction<DB>,
  deps: StepDeps,
  job: ImportJob,
): Promise<Partial<ImportJob>> {
  const limit = CONTACT_JOBS.page
  const rows = await loadRows(tx, job.id, { from: job.nextRow, limit })
  const ended = { state: 'done', dueAt: null, endedAt: deps.now }
  if (rows.length === 0) return ended
  const { counts, events } = await importPage(tx, deps, job, rows)
  const progress = { ...counts, nextRow: rows.at(-1)!.number + 1 }
  if (rows.length < limit) return { ...progress, ...ended }
  const { companyId } = job
  return { ...progress, dueAt: await nextPageAt(tx, { companyId, events, now: deps.now }) }
}

function failed(now: Date, why: Fact): Partial<ImportJob> {
  return { state: 'failed', reason: serializeFact(why), dueAt: null, endedAt: now }
}
