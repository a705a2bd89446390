import { parse } from 'csv-parse/sync'
import type { Block } from '../cut-chunks.ts'

const DELIMITERS = [',', ';', '\t']

/** A table: each row is one piece, each value after the name of its column. */
export function blocksOfCsv(text: string): Block[] {
  const first = text.split(/\r\n|\r|\n/, 1)[0] ?? ''
  const delimiter = DELIMITERS.toSorted(
    (one, other) => countOf(first, other) - countOf(first, one),
  )[0]!
  const rows = parse(text, {
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  const [headers = [], ...body] = rows
  if (body.length === 0) return [{ kind: 'text', text: headers.join(' ') }]
  return body.map((cells) => ({ kind: 'whole', text: tellRow(headers, cells) }))
}

function tellRow(headers: readonly string[], cells: readonly string[]): string {
  return cells
    .flatMap((cell, at) => {
      if (cell === '') return []
      const header = headers[at] ?? ''
      return [header === '' ? cell : `${header}: ${cell}`]
    })
    .join('\n')
}

const countOf = (text: string, sign: string): number => text.split(sign).length
