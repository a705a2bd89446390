import { parse } from 'csv-parse/sync'
import { findDelimiter } from '../../../rules/text/csv-delimiter.ts'
import type { Block } from '../chunk-text.ts'

/** Returns the blocks of a table: one for each row, with the column's name before each value. */
export function blocksOfCsv(text: string): Block[] {
  const { delimiter, start } = findDelimiter(text)
  const rows = parse(text.slice(start), {
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  const [headers = [], ...body] = rows
  if (body.length === 0) return [{ kind: 'text', text: headers.join(' ') }]
  return body.map((cells) => ({ kind: 'whole', text: formatRow(headers, cells) }))
}

function formatRow(headers: readonly string[], cells: readonly string[]): string {
  return cells
    .flatMap((cell, at) => {
      if (cell === '') return []
      const header = headers[at] ?? ''
      return [header === '' ? cell : `${header}: ${cell}`]
    })
    .join('\n')
}
