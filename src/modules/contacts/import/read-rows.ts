import { parse } from 'csv-parse/sync'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import type { ImportTarget } from '../../../core/vocabulary/contacts.ts'

/** The columns of a file: their number, and the index of each one that is imported. */
export type FileColumns = {
  count: number
  targets: readonly { target: ImportTarget; at: number }[]
}

type Options = {
  delimiter: string
  limit: number
  /** States whether the part contains the end of the file. */
  isLast: boolean
  /** The columns, once they are known: they reveal rows that continue into the next one. */
  columns?: FileColumns
}

/** An error for a row that continues in the next part. */
const INCOMPLETE = new Error('the row is cut off')
/** An error for a row that continues into the next row. */
const CONTINUES = new Error('the row runs into the next one')
const UNCLOSED = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

/**
 * Returns the complete rows of a part of a file, up to a limit, each with the cells of all columns, and the byte offset
 * after them. A row whose quote is not closed before the next row is null, and the next rows are read as if it ended
 * with its line. Empty lines are skipped. Rows may have any number of cells.
 */
export function readRows(
  part: Buffer,
  options: Options,
): { rows: (string[] | null)[]; end: number } {
  const { limit, isLast } = options
  const rows: (string[] | null)[] = []
  let end = 0
  while (rows.length < limit && end < part.length) {
    const stoppedBy = addRows()
    if (stoppedBy === undefined) {
      if (rows.length === limit) break
      // The remainder has no rows.
      return { rows, end: isLast || end === 0 ? part.length : end }
    }
    if (stoppedBy === INCOMPLETE) break
    const { code } = stoppedBy as { code?: string }
    if (stoppedBy !== CONTINUES && !UNCLOSED.has(code ?? '')) throw stoppedBy
    const mayEndLater = code === 'CSV_QUOTE_NOT_CLOSED' && !isLast
    if (mayEndLater && part.length - end < IMPORT_LIMITS.rowBytes) break
    rows.push(null)
    end = nextLine(part, end)
  }
  return { rows, end }

  /** Adds rows up to an unreadable one, and returns the error. */
  function addRows(): unknown {
    const from = end
    const onRecord = (cells: string[], { bytes }: { bytes: number }) => {
      if (!isLast && from + bytes >= part.length) throw INCOMPLETE
      if (containsNextRow(cells, options)) throw CONTINUES
      rows.push(cells)
      end = from + bytes
      return null
    }
    try {
      parse(part.subarray(from), {
        delimiter: options.delimiter,
        to: limit - rows.length,
        bom: true,
        record_delimiter: ['\r\n', '\n', '\r'],
        max_record_size: IMPORT_LIMITS.rowBytes,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        on_record: onRecord,
      })
      return undefined
    } catch (error) {
      return error
    }
  }
}

const LINE_BREAK = /\r\n|\n|\r/
const MIN_PHONE_DIGITS = 7

/** Returns whether an unclosed quote includes cells of the next row, or whole rows. */
function containsNextRow(cells: readonly string[], { delimiter, columns }: Options): boolean {
  return cells.some((cell, at) => {
    if (!LINE_BREAK.test(cell)) return false
    // The quote is followed by more text.
    if (cell.startsWith('"')) return true
    if (!columns) return false
    const { count, targets } = columns
    const [first = '', ...others] = cell.split(LINE_BREAK)
    // The last line of a cell may be followed by other cells.
    const lines = at === cells.length - 1 ? others : others.slice(0, -1)
    if (lines.some((line) => isRow(line.split(delimiter), columns))) return true
    if (!targets.some((one) => one.at === at && !one.target.startsWith('fields.'))) {
      return cells.length > count
    }
    const inFirst = first.split(delimiter).length
    return cells.length !== count || (inFirst > 1 && at + inFirst === count)
  })
}

/**
 * Returns whether the cells of a line are a customer's: the number of columns matches, and there is a number or
 * address.
 */
function isRow(cells: readonly string[], { count, targets }: FileColumns): boolean {
  if (cells.length !== count) return false
  return targets.some(({ target, at }) => {
    const cell = cells[at] ?? ''
    if (target === 'email') return cell.includes('@')
    return target === 'phone' && cell.replace(/\P{Nd}/gu, '').length >= MIN_PHONE_DIGITS
  })
}

const [LF, CR] = [0x0a, 0x0d]

/** Returns the offset of the line after the row that starts at `start`. */
function nextLine(part: Buffer, start: number): number {
  let at = start
  const isBreak = () => part[at] === LF || part[at] === CR
  while (at < part.length && isBreak()) at += 1
  while (at < part.length && !isBreak()) at += 1
  return part[at] === CR && part[at + 1] === LF ? at + 2 : Math.min(at + 1, part.length)
}
