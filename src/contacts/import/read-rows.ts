import { parse } from 'csv-parse'

/** Stands behind a file: the parser looks some bytes ahead before it tells of a row. */
export const FILE_END = '\n\n\n\n'

export type FileRow = {
  cells: string[]
  /** Bytes of the part up to the end of the row. */
  end: number
}

/**
 * The whole rows of a part of a file, at most so many; what is cut off at its end is left for the next part.
 * Empty lines are no rows. Every row may have any number of cells.
 */
export function readRows(
  part: Buffer,
  { delimiter, most }: { delimiter: string; most: number },
): FileRow[] {
  const parser = parse({
    delimiter,
    to: most,
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const rows: FileRow[] = []
  const read = () => {
    for (let one = next(); one !== null; one = next()) {
      rows.push({ cells: one.record, end: one.info.bytes })
    }
  }
  const next = () => parser.read() as { record: string[]; info: { bytes: number } } | null
  // Never ended: a row whose end is not there yet is no row.
  parser.write(part)
  read()
  parser.destroy()
  return rows
}

const DELIMITERS = [',', ';', '\t', '|']

/** The one of the usual delimiters that the first line has most of; a comma where it has none. */
export function findDelimiter(firstLine: string): string {
  const counts = DELIMITERS.map((delimiter) => firstLine.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}
