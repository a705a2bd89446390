/** Beginnings by which a spreadsheet takes a cell for a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/
const DISARMED = /^'[=+\-@＝＋－＠\t\r\n]/

/**
 * A value as a cell of a CSV file: what a spreadsheet would run gets an apostrophe before it, and what
 * holds a comma, a quote or a line break is quoted.
 */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const disarmed = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(disarmed) ? `"${disarmed.replaceAll('"', '""')}"` : disarmed
}

/** A cell of a file as it was before it was disarmed: of `'+966501234567` the number. */
export function readCsvCell(text: string): string {
  return DISARMED.test(text) ? text.slice(1) : text
}

/** A line of cells, with its end. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

/** By this mark spreadsheets know that a file is UTF-8. */
export const CSV_BOM = '\ufeff'
