import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tell } from '../../contract/dashboard/told.ts'
import type { DB } from '../../database/tables.ts'
import type { Fact } from '../../facts/fact.ts'
import { readFact, storeFact } from '../../facts/stored-fact.ts'
import type { Ids } from '../../ids.ts'
import { IMPORT_LIMITS } from '../../limits/contacts.ts'
import type { CellFault, ImportRow } from '../../rules/contacts/import-row.ts'
import { CSV_BOM, csvLine } from '../../rules/text/csv-cell.ts'
import { requireImport, type ImportJob, type OwnedImport } from './view-import.ts'

/** A row of the file; the header is row 1. */
export type NumberedRow = { number: number; row: ImportRow; faults: CellFault[] }

export type RowFault = { row: number; target: string | null; isLeftOut: boolean; problem: Fact }

/** Writes down what is wrong with rows, as long as there is room for it. */
export async function writeFaults(
  tx: Transaction<DB>,
  { ids }: { ids: Ids },
  job: ImportJob,
  faults: readonly RowFault[],
): Promise<void> {
  if (faults.length === 0) return
  const { count } = await tx
    .selectFrom('contactImportFault')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('importId', '=', job.id)
    .executeTakeFirstOrThrow()
  const kept = faults.slice(0, Math.max(0, IMPORT_LIMITS.faults - count))
  if (kept.length === 0) return
  const columns = JSON.parse(job.columns!) as Record<string, string>
  await tx
    .insertInto('contactImportFault')
    .values(
      kept.map(({ row, target, isLeftOut, problem }) => ({
        id: ids.uuid(),
        importId: job.id,
        row,
        header: target === null ? null : (columns[target] ?? null),
        isLeftOut,
        problem: storeFact(problem),
      })),
    )
    .execute()
}

/** The faults of an import as a CSV file, by row: the row, its column, whether it is left out, what is wrong. @throws not_found */
export async function faultsAsCsv(
  { db, tell }: Pick<Context, 'db'> & { tell: Tell },
  owned: OwnedImport,
): Promise<string> {
  await requireImport(db.kysely, owned)
  const faults = await db.kysely
    .selectFrom('contactImportFault')
    .selectAll()
    .where('importId', '=', owned.importId)
    .orderBy('row')
    .orderBy('id')
    .execute()
  const lines = faults.map(({ row, header, isLeftOut, problem }) =>
    csvLine([String(row), header, isLeftOut ? 'yes' : 'no', tell(readFact(problem)).text]),
  )
  return `${CSV_BOM}${csvLine(['row', 'column', 'left_out', 'problem'])}${lines.join('')}`
}
