/** Matches the beginnings that make a spreadsheet read a cell as a formula. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/
const DISARMED = /^''*[=+\-@＝＋－＠\t\r\n]/
/** Matches a signed number, as phone numbers are written; a spreadsheet runs nothing in it. */
const NUMBER = /^[+-][0-9]+(?:\.[0-9]+)?$/

/**
 * Returns a value as a cell of a CSV file. A value that a spreadsheet would run as a formula gets an apostrophe before
 * it. So does a text that already begins with such an apostrophe, so that `readCsvCell` restores every value. A signed
 * number stays unchanged, because other programs read phone numbers from these files. Values with a comma, a quote or a
 * line break are quoted.
 */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const disarmed = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(disarmed) ? `"${disarmed.replaceAll('"', '""')}"` : disarmed
}

/** Returns the text of a cell without the apostrophe that `csvCell` added: `'=1+1` gives the formula. */
export function readCsvCell(text: string): string {
  return DISARMED.test(text) ? text.slice(1) : text
}

/** Returns a line of cells, with its line break. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

/** The byte order mark at the beginning of a CSV file, by which spreadsheets recognise UTF-8. */
export const CSV_BOM = '\ufeff'
