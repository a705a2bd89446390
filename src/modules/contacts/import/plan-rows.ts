import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { emptyRow, combineRows, type ImportRow } from '../../../rules/contacts/import-row.ts'
import type { ImportMode } from '../../../core/vocabulary/contacts.ts'
import { addCounts, type Counts } from './counts.ts'
import { decideRows, type Decision, type HeadRow } from './decide-rows.ts'
import {
  firstRowsOf,
  rowsOfKeys,
  rowsWithSharedEmail,
  writeDecisions,
  type DecidedRow,
  type KeptRow,
} from './import-row-store.sql.ts'
import { loadKnownContacts } from './known-contacts.ts'
import type { ImportJob } from './view-import.ts'

/**
 * Decides what would become of a page of rows, and touches no contact. Rows of one contact are combined first.
 * Returns the counts as they then are.
 *
 * Spec: Contacts › Import.
 */
export async function planRows(
  tx: Transaction<DB>,
  now: Date,
  job: ImportJob,
  rows: readonly KeptRow[],
): Promise<Counts> {
  const keys = rows.flatMap(({ key }) => key ?? [])
  const firsts = await firstRowsOf(tx, job.id, keys)
  const combined = rows.filter(({ number, isReadable, key }) => {
    const first = key === null ? undefined : firsts.get(key)
    return isReadable && first !== undefined && first !== number
  })
  const apart = new Set(combined)
  const heads = await withAllTheirRows(
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
  const decisions = decideRows(heads, known, await optionsOf(tx, job, { now, heads, rows }))
  const changed = new Map(
    heads.filter(({ isCombined }) => isCombined).map(({ number, row }) => [number, row]),
  )
  const decided: DecidedRow[] = [
    ...outcomesOf(rows, decisions).map((one) => ({ ...one, row: changed.get(one.number) ?? null })),
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

/** What the decisions need to know of the import and of its other rows. */
export async function optionsOf(
  tx: Transaction<DB>,
  job: ImportJob,
  { now, heads, rows }: { now: Date; heads: readonly HeadRow[]; rows: readonly KeptRow[] },
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

/** What is written of rows that were decided, and of those whose cells cannot be used. */
export function outcomesOf(
  rows: readonly KeptRow[],
  decisions: readonly Decision[],
  contactIdOf = ({ known }: Decision): string | null =>
    known?.madeByRow === null ? known.contact.id : null,
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
    const told = { number, outcome, intoRow: null, contactId, givesEmail, row: null }
    return [{ ...told, notes: decided }]
  })
}

/** The first rows of contacts, each with the values of all rows of its contact. */
async function withAllTheirRows(
  tx: Transaction<DB>,
  importId: string,
  rows: readonly KeptRow[],
): Promise<HeadRow[]> {
  const keys = rows.flatMap(({ key, isReadable }) => (isReadable ? (key ?? []) : []))
  const byKey = new Map<string, { row: ImportRow; isCombined: boolean }>()
  for await (const { key, isReadable, row } of rowsOfKeys(tx, importId, keys)) {
    const earlier = byKey.get(key)
    // A row with a fault changes nothing, but it may opt its customer out.
    const values = isReadable ? row : { ...emptyRow(), optedOut: row.optedOut }
    const combined = earlier ? withFewerTags(combineRows(earlier.row, values)) : values
    byKey.set(key, { row: combined, isCombined: earlier !== undefined })
  }
  return rows.flatMap(({ number, key, isReadable, row }) => {
    if (row === null || (!isReadable && key === null)) return []
    const whole = isReadable && key !== null ? byKey.get(key)! : null
    const isCombined = whole?.isCombined ?? false
    return [{ number, isReadable, row: whole?.row ?? row, isCombined }]
  })
}

/** The store keeps only what counts, also where a hundred thousand rows are of one contact. */
function withFewerTags(row: ImportRow): ImportRow {
  return { ...row, tags: [...new Set(row.tags)] }
}
