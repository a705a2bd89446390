/** The stored rows of an import: read, decided and imported. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import type { Fact } from '../../../core/facts/fact.ts'
import type { ImportRow } from '../../../rules/contacts/import-row.ts'
import type { ImportOutcome, ImportTarget } from '../../../core/vocabulary/contacts.ts'

/** A note on a row for members; `target` is null for the whole row. */
export type RowNote = { target: ImportTarget | null; problem: Fact }

/** A row as it was read from the file. */
export type ReadRow = {
  number: number
  /** The values; null when the row could not be separated from the next one. */
  row: ImportRow | null
  /** The key that rows of one contact share; null for a row that is not combined with others. */
  key: string | null
  /** The digits of the phone, with or without its country. */
  phoneDigits: string | null
  notes: readonly RowNote[]
}

/** A stored row. `intoRow` is the earlier row of the same contact that it was combined with. */
export type SavedRow = {
  number: number
  isReadable: boolean
  key: string | null
  phoneDigits: string | null
  row: ImportRow | null
  intoRow: number | null
  notes: RowNote[]
}

/** The planned or final outcome of a row, as it is stored; `row` has the values only if they changed. */
export type DecidedRow = {
  number: number
  outcome: ImportOutcome
  intoRow: number | null
  contactId: string | null
  givesEmail: boolean
  row: ImportRow | null
  notes: readonly RowNote[]
}

const writeNotes = (notes: readonly RowNote[]) =>
  notes.length === 0 ? null : JSON.stringify(notes)

/** Parses the stored notes on a row of an import, such as an unreadable value. */
export const readNotes = (text: string | null) =>
  text === null ? [] : (JSON.parse(text) as RowNote[])

/** Parses the stored values of a row of an import; null for a row without readable values. */
export const readCells = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as ImportRow)

/** Inserts the rows that were read from a file of contacts. */
export async function saveReadRows(
  tx: Transaction<DB>,
  importId: string,
  rows: readonly ReadRow[],
): Promise<void> {
  await sql`
    insert into contact_import_row (import_id, row, is_readable, key, number, email, cells, notes)
    select ${importId}, * from unnest(${rows.map(({ number }) => number)}::integer[],
      ${rows.map(({ notes }) => notes.length === 0)}::boolean[],
      ${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ phoneDigits }) => phoneDigits)}::text[],
      ${rows.map(({ row, notes }) => (hasBrokenEmail(notes) ? null : (row?.email?.toLowerCase() ?? null)))}::text[],
      ${rows.map(({ row }) => (row === null ? null : JSON.stringify(row)))}::text[],
      ${rows.map(({ notes }) => writeNotes(notes))}::text[])`.execute(tx)
}

/** E-mail addresses that are invalid, and possibly very long, are not indexed. */
const hasBrokenEmail = (notes: readonly RowNote[]) =>
  notes.some(({ target }) => target === 'email' || target === null)

/** Loads at most `limit` rows of an import in order, beginning with the number `from`. */
export async function loadRows(
  tx: Transaction<DB>,
  importId: string,
  { from, limit }: { from: number; limit: number },
): Promise<SavedRow[]> {
  const rows = await tx
    .selectFrom('contactImportRow')
    .select(['row', 'isReadable', 'key', 'number', 'cells', 'intoRow', 'notes'])
    .where('importId', '=', importId)
    .where('row', '>=', from)
    .orderBy('row')
    .limit(limit)
    .execute()
  return rows.map(({ row, number, isReadable, key, cells, intoRow, notes }) => ({
    number: row,
    isReadable,
    key,
    phoneDigits: number,
    row: readCells(cells),
    intoRow,
    notes: readNotes(notes),
  }))
}

/** Returns by key, which the rows of one contact share, the number of its first readable row, if it has one. */
export async function firstRowsOf(
  tx: Transaction<DB>,
  importId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; row: number }>`
    select input.key, first.row from unnest(${[...new Set(keys)]}::text[]) as input (key)
      cross join lateral (
        select row from contact_import_row as kept
        where kept.import_id = ${importId} and kept.key = input.key and kept.is_readable
        order by row limit 1
      ) first`.execute(tx)
  return new Map(rows.map(({ key, row }) => [key, row]))
}

const ROWS_PER_PART = 2_000

/**
 * Yields each row that has one of the keys, readable or not, in order of key and number. The rows are read in pages, as
 * every row of the file may have one key.
 */
export async function* rowsOfKeys(
  tx: Transaction<DB>,
  importId: string,
  keys: readonly string[],
): AsyncGenerator<{ key: string; isReadable: boolean; row: ImportRow }> {
  let after = { key: '', row: 0 }
  for (;;) {
    const { rows } = await sql<{
      key: string
      row: number
      isReadable: boolean
      cells: string
    }>`
      select key, row, is_readable, cells from contact_import_row
      where import_id = ${importId} and key = any(${keys}::text[])
        and (key, row) > (${after.key}, ${after.row}::integer)
      order by key, row limit ${ROWS_PER_PART}`.execute(tx)
    for (const { key, isReadable, cells } of rows) {
      yield { key, isReadable, row: readCells(cells)! }
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_PART) return
    after = last
  }
}

/** Returns the numbers of those rows whose e-mail address another row has with another phone. */
export async function rowsWithSharedEmail(
  tx: Transaction<DB>,
  importId: string,
  rows: readonly { number: number; phoneDigits: string | null; email: string }[],
): Promise<Set<number>> {
  const { rows: shared } = await sql<{ row: number }>`
    select input.row from unnest(${rows.map(({ number }) => number)}::integer[],
        ${rows.map(({ phoneDigits }) => phoneDigits)}::text[],
        ${rows.map(({ email }) => email)}::text[]) as input (row, number, email)
      where exists (select 1 from contact_import_row as other
        where other.import_id = ${importId} and other.email = input.email
          and other.number is not null
          and right(input.number, length(other.number)) <> other.number)`.execute(tx)
  return new Set(shared.map(({ row }) => row))
}

/** An earlier row that will set an e-mail address. */
export type PlannedRow = {
  email: string
  number: number
  contactId: string | null
  row: ImportRow
}

/**
 * Returns the rows before `before` whose contacts will get one of the e-mail addresses, by which later rows match them.
 * Two per address suffice to show that it is ambiguous.
 */
export async function rowsThatGiveEmail(
  tx: Transaction<DB>,
  importId: string,
  { emails, before }: { emails: readonly string[]; before: number },
): Promise<PlannedRow[]> {
  const { rows } = await sql<{
    email: string
    row: number
    contactId: string | null
    cells: string
  }>`
    select input.email, planned.row, planned.contact_id, planned.cells
    from unnest(${emails}::text[]) as input (email)
      cross join lateral (
        select row, contact_id, cells from contact_import_row as kept
        where kept.import_id = ${importId} and kept.email = input.email and kept.gives_email
          and kept.row < ${before}
        order by row limit 2
      ) planned`.execute(tx)
  return rows.map(({ email, row, contactId, cells }) => ({
    email,
    number: row,
    contactId,
    row: readCells(cells)!,
  }))
}

/** Stores the planned or final outcomes of rows of an import. */
export async function writeDecisions(
  tx: Transaction<DB>,
  importId: string,
  rows: readonly DecidedRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update contact_import_row as kept set outcome = input.outcome, into_row = input.into_row,
      contact_id = input.contact_id, gives_email = input.gives_email,
      cells = coalesce(input.cells, kept.cells), notes = input.notes
    from unnest(${rows.map(({ number }) => number)}::integer[],
      ${rows.map(({ outcome }) => outcome)}::text[],
      ${rows.map(({ intoRow }) => intoRow)}::integer[],
      ${rows.map(({ contactId }) => contactId)}::uuid[],
      ${rows.map(({ givesEmail }) => givesEmail)}::boolean[],
      ${rows.map(({ row }) => (row === null ? null : JSON.stringify(row)))}::text[],
      ${rows.map(({ notes }) => writeNotes(notes))}::text[])
      as input (row, outcome, into_row, contact_id, gives_email, cells, notes)
    where kept.import_id = ${importId} and kept.row = input.row`.execute(tx)
}

/** Deletes the rows of an import before its file is read again. */
export async function deleteRows(db: Kysely<DB>, importId: string): Promise<void> {
  await db.deleteFrom('contactImportRow').where('importId', '=', importId).execute()
}
