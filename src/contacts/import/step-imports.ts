import { sql, type Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { nextJobStep, stepDueJobs } from '../../database/step-jobs.ts'
import type { DB } from '../../database/tables.ts'
import { fact, type Fact } from '../../facts/fact.ts'
import { storeFact } from '../../facts/stored-fact.ts'
import type { Ids } from '../../ids.ts'
import { CONTACT_JOBS, IMPORT_LIMITS } from '../../limits/contacts.ts'
import {
  readImportRow,
  type ImportDesign,
  type ImportTarget,
} from '../../rules/contacts/import-row.ts'
import { readFieldDesigns } from '../read-fields.ts'
import { readCountries } from '../../messaging/read-written-phone.ts'
import { bringIn } from './bring-in.ts'
import { checkRows } from './check-rows.ts'
import { readRows } from './read-rows.ts'
import type { ImportJob } from './view-import.ts'
import type { NumberedRow } from './write-faults.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'ids' | 'log'>

/**
 * Takes each import that is due one page on, checked or brought in, in a transaction that also moves its
 * place: a process that is killed leaves the page undone, as if it had not begun. Returns how many were stepped.
 *
 * Isolation: an import's row is locked with `skip locked`, so that nodes share them and never both step one.
 */
export function stepImports(context: Deps): Promise<number> {
  const { ids } = context
  return stepDueJobs(context, 'contact_import', CONTACT_JOBS, (tx, id, now) =>
    step(tx, { ids, now }, id),
  )
}

/** When the next page of any import is due; null when none runs. */
export function nextImportStep({ db }: Pick<Context, 'db'>): Promise<Date | null> {
  return nextJobStep(db.kysely, 'contact_import')
}

type StepDeps = { ids: Ids; now: Date }

async function step(tx: Transaction<DB>, deps: StepDeps, importId: string): Promise<boolean> {
  const job = await tx
    .selectFrom('contactImport')
    .selectAll()
    .where('id', '=', importId)
    .where('dueAt', '<=', deps.now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!job) return false
  await tx
    .updateTable('contactImport')
    .set(await takePage(tx, deps, job))
    .where('id', '=', importId)
    .where('companyId', '=', job.companyId)
    .execute()
  return true
}

/** What the import is after its next page. */
async function takePage(
  tx: Transaction<DB>,
  deps: StepDeps,
  job: ImportJob,
): Promise<Partial<ImportJob>> {
  const isCheck = job.state === 'checking'
  if (job.nextByte >= job.size) return atEnd(job, deps.now)
  const { rows, end } = await readPage(tx, job, isCheck)
  if (end === job.nextByte)
    return failed(deps.now, fact('import_file_broken', { row: job.nextRow - 1 }))
  const nextRow = job.nextRow + rows.length
  const most = IMPORT_LIMITS.rows
  if (nextRow - 2 > most) return failed(deps.now, fact('import_too_many_rows', { most }))
  const counts = isCheck ? await checkRows(tx, deps, job, rows) : await bringIn(tx, deps, job, rows)
  const paused = isCheck ? 0 : CONTACT_JOBS.pageEveryMs
  const moved = { ...counts, nextByte: end, nextRow }
  if (end >= job.size) return { ...moved, ...atEnd({ ...job, nextRow }, deps.now) }
  return { ...moved, dueAt: new Date(deps.now.getTime() + paused) }
}

function atEnd({ state, nextRow }: ImportJob, now: Date): Partial<ImportJob> {
  if (state === 'checking') return { state: 'checked', rowsFound: nextRow - 2, dueAt: null }
  return { state: 'done', dueAt: null, endedAt: now }
}

function failed(now: Date, why: Fact): Partial<ImportJob> {
  return { state: 'failed', reason: storeFact(why), dueAt: null, endedAt: now }
}

async function readPage(
  tx: Transaction<DB>,
  job: ImportJob,
  isCheck: boolean,
): Promise<{ rows: NumberedRow[]; end: number }> {
  const { rows: parts } = await sql<{ part: Buffer }>`
    select substring(bytes from ${job.nextByte + 1}::integer for ${IMPORT_LIMITS.partBytes}::integer) as part
    from contact_import_file where import_id = ${job.id}`.execute(tx)
  const most = isCheck ? IMPORT_LIMITS.checkPage : CONTACT_JOBS.page
  const found = readRows(parts[0]!.part, { delimiter: job.delimiter, most })
  const emptyLines = /^[\r\n]+$/.test(parts[0]!.part.toString('latin1')) ? parts[0]!.part.length : 0
  const design = await designOf(tx, job)
  const columns = Object.entries(JSON.parse(job.columns!) as Record<string, string>).map(
    ([target, header]) => [target as ImportTarget, job.headers.indexOf(header)] as const,
  )
  return {
    rows: found.map(({ cells }, index) => ({
      number: job.nextRow + index,
      ...readImportRow(new Map(columns.map(([target, at]) => [target, cells[at] ?? ''])), design),
    })),
    end: restIsEmpty(parts[0]!.part) ? job.size : job.nextByte + (found.at(-1)?.end ?? emptyLines),
  }

  /** Empty lines at the end of the file are no rows. */
  function restIsEmpty(part: Buffer): boolean {
    const isLast = job.nextByte + part.length >= job.size
    if (!isLast) return false
    return (
      part
        .subarray(found.at(-1)?.end ?? 0)
        .toString('latin1')
        .trim() === ''
    )
  }
}

async function designOf(tx: Transaction<DB>, { companyId }: ImportJob): Promise<ImportDesign> {
  const countries = await readCountries(tx, companyId)
  return {
    fields: await readFieldDesigns(tx, companyId),
    country: countries.length === 1 ? countries[0]! : '',
  }
}
