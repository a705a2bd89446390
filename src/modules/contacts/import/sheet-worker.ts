/** A worker thread that converts the first sheet of a workbook to CSV. */
import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows, type CellValue } from 'hucre/xlsx'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import { csvLine } from '../../../rules/text/csv-cell.ts'

/** The result of the worker thread. */
export type SheetOutput = { ok: true; csv: Uint8Array } | { ok: false; isTooLarge: boolean }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window's
parentPort!.postMessage(await readSheet(workerData as Uint8Array))

async function readSheet(bytes: Uint8Array): Promise<SheetOutput> {
  const parts: Buffer[] = []
  let size = 0
  let rows = 0
  try {
    for await (const { values } of streamXlsxRows(bytes)) {
      const cells = values.slice(0, IMPORT_LIMITS.headers + 1).map(textOf)
      if (cells.every((cell) => cell === '')) continue
      const line = Buffer.from(csvLine(cells))
      parts.push(line)
      size += line.length
      rows += 1
      // The header is an additional row.
      if (size > IMPORT_LIMITS.sheetBytes || rows > IMPORT_LIMITS.rows + 1) {
        return { ok: false, isTooLarge: true }
      }
    }
    return { ok: true, csv: Buffer.concat(parts) }
  } catch {
    return { ok: false, isTooLarge: false }
  }
}

/** Formats a value as a person would type it; midnight is left out. */
function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (!(value instanceof Date)) return String(value)
  if (Number.isNaN(value.getTime())) return ''
  const text = value.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 'YYYY-MM-DD'.length) : text
}
