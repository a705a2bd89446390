import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import {
  keyOfRow,
  readImportRow,
  type CellFault,
  type ImportRow,
} from '../../../rules/contacts/import-row.ts'
import { numberKey } from '../../../rules/identity/number-key.ts'
import { digitsOfRawPhone } from '../../../rules/contacts/import-phone.ts'
import type { ImportTarget } from '../../../core/vocabulary/contacts.ts'
import { readFieldDesigns } from '../read-custom-fields.ts'
import type { ReadRow } from './import-row-store.sql.ts'
import { readRows } from './read-rows.ts'
import type { ImportJob } from './view-import.ts'

/** Returns the next rows of an uploaded file of contacts, with invalid values noted, and the offset after them in bytes. */
export async function readImportPage(
  tx: Transaction<DB>,
  job: ImportJob,
): Promise<{ rows: ReadRow[]; end: number }> {
  const { rows: parts } = await sql<{ part: Buffer }>`
    select substring(bytes from ${job.nextByte + 1}::integer for ${IMPORT_LIMITS.partBytes}::integer) as part
    from contact_import_file where import_id = ${job.id}`.execute(tx)
  const { part } = parts[0]!
  const columns = Object.entries(JSON.parse(job.columns!) as Record<string, string>).map(
    ([target, header]) => ({ target: target as ImportTarget, at: job.headers.indexOf(header) }),
  )
  const found = readRows(part, {
    delimiter: job.delimiter,
    limit: IMPORT_LIMITS.checkPage,
    isLast: job.nextByte + part.length >= job.size,
    columns: { count: job.headers.length, targets: columns },
  })
  const design = { fields: await readFieldDesigns(tx, job.companyId), country: job.country }
  const rows = found.rows.map((cells, index): ReadRow => {
    const number = job.nextRow + index
    if (cells === null) {
      const notes = [{ target: null, problem: fact('import_quote_open') }]
      return { number, row: null, key: null, phoneDigits: null, notes }
    }
    const values = new Map(columns.map(({ target, at }) => [target, cells[at] ?? '']))
    const { row, faults } = readImportRow(values, design)
    const isWrong = new Set(faults.map(({ target }) => target))
    const key = keyToStore(row, faults)
    const phoneDigits = isWrong.has('phone') ? null : digitsOf(row)
    return { number, row, key, phoneDigits, notes: faults }
  })
  return { rows, end: job.nextByte + found.end }
}

/** Returns the key of a row. An invalid row has one only if it opts out a reliably identified customer. */
function keyToStore(row: ImportRow, faults: readonly CellFault[]): string | null {
  if (faults.length === 0) return keyOfRow(row)
  const isUnsure = faults.some(
    ({ target }) => target === 'phone' || (target === 'email' && row.phone === null),
  )
  return row.optedOut === 'yes' && !isUnsure ? keyOfRow(row) : null
}

function digitsOf({ phone, rawPhone }: ImportRow): string | null {
  if (phone !== null) return numberKey(phone.slice(1))
  return rawPhone === null ? null : digitsOfRawPhone(rawPhone) || null
}
