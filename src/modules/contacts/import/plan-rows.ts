import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { emptyRow, combineRows, type ImportRow } from '../../../rules/contacts/import-row.ts'
import type { ImportMode } from '../../../core/vocabulary/contacts.ts'
import { addCounts, type Counts } from './counts.ts'
import { decideRows, type RowDecision, type HeadRow } from './decide-rows.ts'
import {
  firstRowsOf,
  rowsOfKeys,
  rowsWithSharedEmail,
  writeDecisions,
  type DecidedRow,
  type SavedRow,
} from './import-row-store.sql.ts'
import { loadKnownContacts } from './known-contacts.ts'
import type { ImportJob } from './view-import.ts'

/**
 * Decides the outcome of a page of rows and stores it in them, without changing contacts. Rows of one contact are
 * combined first. Returns the new counts.
 *
 * Spec: Contacts › Import.
 */
export async function planRows(
  tx: Transaction<DB>,
  now: Date,
  job: ImportJob,
  rows: readonly SavedRow[],
): Promise<Counts> {
  const keys = rows.flatMap(({ key }) => key ?? [])
  const firsts = await firstRowsOf(tx, job.id, keys)
  const combined = rows.filter(({ number, isReadable, key }) => {
    const first = key === null ? undefined : firsts.get(key)
    return isReadable && first !== undefined && first !== number
  })
  const apart = new Set(combined)
  const heads = await combineHeadRows(
    tx,
    job.id,
    rows.filter((one) => !apart.has(one)),
  )
  const { id: importId, companyId } = job
  const planned = { importId, before: rows[0]!.number, mode: job.mode as ImportMode }
  const known = await loadKnownContacts(
    tx,
    heads.map(({ row }) => row),
    { companyId, now, isLocking: false, planned },
  )
  const decisions = decideRows(heads, known, await loadOptions(tx, job, { now, heads, rows }))
  const changed = new Map(
    heads.filter(({ isCombined }) => isCombined).map(({ number, row }) => [number, row]),
  )
  const decided: DecidedRow[] = [
    ...toDecidedRows(rows, decisions).map((one) => ({
      ...one,
      row: changed.get(one.number) ?? null,
    })),
    ...combined.map(({ number, key }): DecidedRow => {
      const first = firsts.get(key!)!
      return {
        number,
        outcome: 'combined',
        intoRow: first,
        contactId: null,
        givesEmail: false,
        row: null,
        notes: [{ target: null, problem: fact('import_double', { row: first }) }],
      }
    }),
  ]
  await writeDecisions(tx, importId, decided)
  return addCounts(job, decided)
}

/** Returns the options of `decideRows` for a page of rows. */
export async function loadOptions(
  tx: Transaction<DB>,
  job: ImportJob,
  { now, heads, rows }: { now: Date; heads: readonly HeadRow[]; rows: readonly SavedRow[] },
) {
  const digits = new Map(rows.map(({ number, phoneDigits }) => [number, phoneDigits]))
  const both = heads.flatMap(({ number, row: { phone, email } }) =>
    phone === null || email === null
      ? []
      : [{ number, phoneDigits: digits.get(number) ?? null, email: email.toLowerCase() }],
  )
  return {
    companyId: job.companyId,
    mode: job.mode as ImportMode,
    now,
    actorId: job.createdBy,
    shared: await rowsWithSharedEmail(tx, job.id, both),
  }
}

/** Converts decisions to the rows to store. Rows with invalid values are left out of the import, with their notes. */
export function toDecidedRows(
  rows: readonly SavedRow[],
  decisions: readonly RowDecision[],
  contactIdOf = ({ known }: RowDecision): string | null =>
    known?.createdByRow === null ? known.contact.id : null,
): DecidedRow[] {
  const byNumber = new Map(decisions.map((decision) => [decision.number, decision]))
  return rows.flatMap(({ number, isReadable, intoRow, notes }): DecidedRow[] => {
    const decision = byNumber.get(number)
    if (!isReadable) {
      const contactId = decision ? contactIdOf(decision) : null
      const kept = { number, intoRow, contactId, givesEmail: false, row: null, notes }
      return [{ ...kept, outcome: 'left_out' }]
    }
    if (!decision) return []
    const { outcome, givesEmail, notes: decided } = decision
    const contactId = contactIdOf(decision)
    const outcomeRow = { number, outcome, intoRow: null, contactId, givesEmail, row: null }
    return [{ ...outcomeRow, notes: decided }]
  })
}

/** Returns the first rows of contacts, each with the combined values of all rows of its contact. */
async function combineHeadRows(
  tx: Transaction<DB>,
  importId: string,
  rows: readonly SavedRow[],
): Promise<HeadRow[]> {
  const keys = rows.flatMap(({ key, isReadable }) => (isReadable ? (key ?? []) : []))
  const byKey = new Map<string, { row: ImportRow; isCombined: boolean }>()
  for await (const { key, isReadable, row } of rowsOfKeys(tx, importId, keys)) {
    const earlier = byKey.get(key)
    // An invalid row changes no values, but may opt its customer out.
    const values = isReadable ? row : { ...emptyRow(), optedOut: row.optedOut }
    const combined = earlier ? withUniqueTags(combineRows(earlier.row, values)) : values
    byKey.set(key, { row: combined, isCombined: earlier !== undefined })
  }
  return rows.flatMap(({ number, key, isReadable, row }) => {
    if (row === null || (!isReadable && key === null)) return []
    const whole = isReadable && key !== null ? byKey.get(key)! : null
    const isCombined = whole?.isCombined ?? false
    return [{ number, isReadable, row: whole?.row ?? row, isCombined }]
  })
}

/** Removes duplicate tags, as a hundred thousand rows may belong to one contact. */
function withUniqueTags(row: ImportRow): ImportRow {
  return { ...row, tags: [...new Set(row.tags)] }
}
