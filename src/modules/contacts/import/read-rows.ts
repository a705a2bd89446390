import { parse } from 'csv-parse/sync'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import type { ImportTarget } from '../../../core/vocabulary/contacts.ts'

export type FileColumns = {
  count: number
  targets: readonly { target: ImportTarget; at: number }[]
}

type Options = {
  delimiter: string
  most: number
  /** The part goes to the end of the file. */
  isLast: boolean
  /** What the columns are, once that is known: by it a row that runs into the next one is told. */
  columns?: FileColumns
}

/** Thrown at a row that goes on in the next part. */
const CUT_OFF = new Error('the row is cut off')
/** Thrown at a row that runs into the next one. */
const RUNS_ON = new Error('the row runs into the next one')
const UNCLOSED = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

/**
 * Returns the whole rows of a part of a file, at most so many, and where the next one begins. A row whose quote does not
 * end before the next row is null, and the rows after it are read as if it ended with its line. Empty lines are no rows.
 * Every row may have any number of cells.
 */
export function readRows(
  part: Buffer,
  options: Options,
): { rows: (string[] | null)[]; end: number } {
  const { most, isLast } = options
  const rows: (string[] | null)[] = []
  let end = 0
  while (rows.length < most && end < part.length) {
    const stoppedBy = readOn()
    if (stoppedBy === undefined) {
      if (rows.length === most) break
      // What is left has no rows.
      return { rows, end: isLast || end === 0 ? part.length : end }
    }
    if (stoppedBy === CUT_OFF) break
    const { code } = stoppedBy as { code?: string }
    if (stoppedBy !== RUNS_ON && !UNCLOSED.has(code ?? '')) throw stoppedBy
    const mayEndLater = code === 'CSV_QUOTE_NOT_CLOSED' && !isLast
    if (mayEndLater && part.length - end < IMPORT_LIMITS.rowBytes) break
    rows.push(null)
    end = nextLine(part, end)
  }
  return { rows, end }

  /** Adds rows up to one that cannot be read, and returns why it cannot. */
  function readOn(): unknown {
    const from = end
    const onRecord = (cells: string[], { bytes }: { bytes: number }) => {
      if (!isLast && from + bytes >= part.length) throw CUT_OFF
      if (runsOn(cells, options)) throw RUNS_ON
      rows.push(cells)
      end = from + bytes
      return null
    }
    try {
      parse(part.subarray(from), {
        delimiter: options.delimiter,
        to: most - rows.length,
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
const LEAST_PHONE_DIGITS = 7

/** Whether a quote that was left open has taken cells of the next row, or whole rows. */
function runsOn(cells: readonly string[], { delimiter, columns }: Options): boolean {
  return cells.some((cell, at) => {
    if (!LINE_BREAK.test(cell)) return false
    // Behind its end the quote is followed by more text.
    if (cell.startsWith('"')) return true
    if (!columns) return false
    const { count, targets } = columns
    const [first = '', ...others] = cell.split(LINE_BREAK)
    // Behind the last line of a cell other cells may follow.
    const lines = at === cells.length - 1 ? others : others.slice(0, -1)
    if (lines.some((line) => isRow(line.split(delimiter), columns))) return true
    if (!targets.some((one) => one.at === at && !one.target.startsWith('fields.'))) {
      return cells.length > count
    }
    const inFirst = first.split(delimiter).length
    return cells.length !== count || (inFirst > 1 && at + inFirst === count)
  })
}

/** Whether the cells of a line are those of a customer: as many as there are columns, with a number or address. */
function isRow(cells: readonly string[], { count, targets }: FileColumns): boolean {
  if (cells.length !== count) return false
  return targets.some(({ target, at }) => {
    const cell = cells[at] ?? ''
    if (target === 'email') return cell.includes('@')
    return target === 'phone' && cell.replace(/\P{Nd}/gu, '').length >= LEAST_PHONE_DIGITS
  })
}

const [LF, CR] = [0x0a, 0x0d]

/** Where the line after the row that begins at `start` begins. */
function nextLine(part: Buffer, start: number): number {
  let at = start
  const isBreak = () => part[at] === LF || part[at] === CR
  while (at < part.length && isBreak()) at += 1
  while (at < part.length && !isBreak()) at += 1
  return part[at] === CR && part[at + 1] === LF ? at + 2 : Math.min(at + 1, part.length)
}
