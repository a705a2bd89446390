import { runInTimeSlices } from '../../connections/run-in-time-slices.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { runInThread } from '../../files/run-in-thread.ts'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import { findDelimiter } from '../../../rules/text/csv-delimiter.ts'
import { cleanText } from '../../../rules/text/json-text.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { ImportDelimiter, ImportEncoding } from '../../../core/vocabulary/contacts.ts'
import { detectEncoding, toUtf8 } from './file-encoding.ts'
import { readRows } from './read-rows.ts'
import type { SheetOutput } from './sheet-worker.ts'

/** An uploaded file converted to CSV in UTF-8, with its original format, its header and its first rows. */
export type ConvertedFile = {
  bytes: Buffer
  /** The uploaded file, if it is not UTF-8. */
  original: Buffer | null
  /** The encoding; null for a workbook. */
  encoding: ImportEncoding | null
  delimiter: string
  headers: string[]
  /** The offset of the row after the header. */
  firstByte: number
  /** The cells of the first rows. */
  sample: string[][]
}

/** A member's choices for a CSV file; each one that is missing is detected. */
export type ReadOptions = {
  delimiter?: ImportDelimiter | undefined
  encoding?: ImportEncoding | undefined
}

const WORKBOOK = Buffer.from('PK\u0003\u0004', 'latin1')

/**
 * Converts an uploaded CSV file or workbook to CSV in UTF-8, and reads its header and first rows.
 *
 * @throws invalid
 * Spec: Contacts › Import.
 */
export async function readFile(
  uploaded: Buffer,
  options: ReadOptions = {},
): Promise<ConvertedFile> {
  if (uploaded.subarray(0, WORKBOOK.length).equals(WORKBOOK)) {
    const bytes = await readWorkbook(uploaded)
    const start = await runInTimeSlices(readStart(bytes, ','))
    return { bytes, original: null, encoding: null, ...start }
  }
  return runInTimeSlices(readCsv(uploaded, options))
}

function* readCsv(uploaded: Buffer, options: ReadOptions): Generator<undefined, ConvertedFile> {
  const encoding = options.encoding ?? (yield* detectEncoding(uploaded))
  yield
  const bytes = yield* toUtf8(uploaded, encoding)
  if (bytes === null) throw refused(fact('import_wrong_encoding'))
  yield
  const original = encoding === 'utf-8' ? null : uploaded
  return { bytes, original, encoding, ...(yield* readStart(bytes, options.delimiter)) }
}

async function readWorkbook(uploaded: Buffer): Promise<Buffer> {
  const script = new URL('./sheet-worker.ts', import.meta.url)
  const result = await runInThread<SheetOutput>(script, uploaded, {
    runMs: IMPORT_LIMITS.sheetMs,
    memoryMb: IMPORT_LIMITS.sheetMemoryMb,
  })
  if (!result.ok) {
    throw refused(fact(result.why === 'broken' ? 'import_sheet_broken' : 'import_sheet_too_large'))
  }
  const { output } = result
  if (output.ok) return Buffer.from(output.csv)
  throw refused(fact(output.isTooLarge ? 'import_sheet_too_large' : 'import_sheet_broken'))
}

/** Reads the header and some rows, within the maximum size of a row each. */
function* readStart(
  bytes: Buffer,
  givenDelimiter: string | undefined,
): Generator<undefined, Omit<ConvertedFile, 'bytes' | 'original' | 'encoding'>> {
  const part = bytes.subarray(0, IMPORT_LIMITS.rowBytes)
  const start = part.toString('utf8')
  const found = findDelimiter(start)
  const skipped = Buffer.byteLength(start.slice(0, found.start))
  const delimiter = givenDelimiter ?? found.delimiter
  yield
  const isWhole = part.length === bytes.length
  const { rows, end } = readRows(part.subarray(skipped), { delimiter, limit: 1, isLast: isWhole })
  const [cells] = rows
  yield
  const firstByte = skipped + end
  const rest = bytes.subarray(firstByte, firstByte + IMPORT_LIMITS.rowBytes)
  const isLast = firstByte + rest.length === bytes.length
  if (!cells || (isLast && rest.toString('latin1').trim() === '')) {
    throw refused(fact('import_without_rows'))
  }
  const shown = readRows(rest, { delimiter, limit: IMPORT_LIMITS.sampleRows, isLast }).rows
  return {
    delimiter,
    headers: readHeaders(cells),
    firstByte,
    sample: shown.map((row) => (row ?? []).slice(0, IMPORT_LIMITS.headers).map(shorten)),
  }
}

const shorten = (cell: string) => cleanText(cell).trim().slice(0, IMPORT_LIMITS.headerChars)

function readHeaders(cells: readonly string[]): string[] {
  const max = IMPORT_LIMITS.headers
  if (cells.length > max) throw refused(fact('import_too_many_headers', { max }))
  const headers = cells.map(shorten)
  const twice = headers.find((header, at) => header !== '' && headers.indexOf(header) !== at)
  if (twice !== undefined) throw refused(fact('import_header_twice', { header: twice }))
  return headers
}

function refused(why: Fact): ServiceError {
  return new ServiceError('invalid', why)
}
