import type { Kysely } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type {
  ImportRowsQuery,
  ImportRowsView,
  ImportRowView,
} from '../../../contract/dashboard/contact-import.ts'
import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import { fact } from '../../../core/facts/fact.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { CSV_BOM, csvLine } from '../../../rules/text/csv-cell.ts'
import type { ImportOutcome } from '../../../core/vocabulary/contacts.ts'
import { readCells, readNotes } from './import-row-store.sql.ts'
import { requireImport, type ImportJob, type OwnedImport } from './view-import.ts'

type Deps = Pick<Context, 'db'> & { formatFact: FormatFact }

/**
 * Returns a page of an import's rows with their planned or final outcomes, in the file's order: all, those with one
 * outcome, or those with notes. Undecided rows are left out. @throws not_found
 *
 * Spec: Contacts › Import.
 */
export async function listImportRows(
  { db, formatFact }: Deps,
  { outcome, listed, after, limit, ...owned }: OwnedImport & ImportRowsQuery,
): Promise<ImportRowsView> {
  const job = await requireImport(db.kysely, owned)
  const isListed = listed !== undefined
  const rows = await load(db.kysely, job, { outcome, isListed, after, limit: limit + 1 })
  const items = rows.slice(0, limit).map((row) => viewRow(formatFact, job, row))
  return { items, nextAfter: rows.length > limit ? items.at(-1)!.row : null }
}

const PAGE = 1_000
const COLUMNS = ['row', 'outcome', 'column', 'code', 'sentence']

/**
 * Returns all rows of an import as parts of a CSV file: number and outcome, on a line per note with its column, code and
 * sentence. @throws not_found
 *
 * Spec: Contacts › Import.
 */
export async function importRowsAsCsv(
  { db, formatFact }: Deps,
  owned: OwnedImport,
): Promise<AsyncGenerator<string>> {
  const job = await requireImport(db.kysely, owned)
  return parts()

  async function* parts() {
    yield CSV_BOM + csvLine(COLUMNS)
    let after = 0
    for (;;) {
      const rows = await load(db.kysely, job, { after, limit: PAGE })
      const views = rows.map((row) => viewRow(formatFact, job, row))
      if (views.length > 0) yield views.map(linesOf).join('')
      if (rows.length < PAGE) return
      after = rows.at(-1)!.row
    }
  }
}

function linesOf({ row, outcome, notes }: ImportRowView): string {
  if (notes.length === 0) return csvLine([String(row), outcome, null, null, null])
  return notes
    .map(({ column, problem: { code, text } }) =>
      csvLine([String(row), outcome, column, code, text]),
    )
    .join('')
}

type StoredRow = {
  row: number
  outcome: string | null
  intoRow: number | null
  contactId: string | null
  cells: string | null
  notes: string | null
}

function load(
  db: Kysely<DB>,
  job: ImportJob,
  filter: { outcome?: ImportOutcome | undefined; isListed?: boolean; after: number; limit: number },
): Promise<StoredRow[]> {
  return db
    .selectFrom('contactImportRow')
    .select(['row', 'outcome', 'intoRow', 'contactId', 'cells', 'notes'])
    .where('importId', '=', job.id)
    .where('row', '>', filter.after)
    .where('outcome', 'is not', null)
    .$if(filter.outcome !== undefined, (rows) => rows.where('outcome', '=', filter.outcome!))
    .$if(filter.isListed === true, (rows) => rows.where('notes', 'is not', null))
    .orderBy('row')
    .limit(filter.limit)
    .execute()
}

function viewRow(formatFact: FormatFact, job: ImportJob, stored: StoredRow): ImportRowView {
  const { row, outcome, intoRow, contactId } = stored
  const cells = readCells(stored.cells)
  const columns = JSON.parse(job.columns ?? '{}') as Record<string, string>
  return {
    row,
    outcome: outcome as ImportOutcome,
    intoRow,
    contactId,
    name: cells?.name ?? null,
    phone: cells?.phone ?? cells?.rawPhone ?? null,
    email: cells?.email ?? null,
    notes: readNotes(stored.notes).map(({ target, problem }) => {
      const column = target === null ? null : (columns[target] ?? null)
      const { text } = formatFact(
        column === null
          ? fact('import_row', { said: problem })
          : fact('import_cell', { column, said: problem }),
      )
      return { column, problem: { ...formatFact(problem), text } }
    }),
  }
}
