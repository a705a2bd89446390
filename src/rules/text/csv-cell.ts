/** Beginnings by which a spreadsheet takes a cell for a formula. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/
const DISARMED = /^''*[=+\-@＝＋－＠\t\r\n]/
/** A number with its sign, as phones are written: a spreadsheet runs nothing in it. */
const NUMBER = /^[+-][0-9]+(?:\.[0-9]+)?$/

/**
 * Returns a value as a cell of a CSV file. What a spreadsheet would run as a formula gets an apostrophe before it, and
 * so does a text that has such an apostrophe of its own, so that `readCsvCell` gives back every value as it was. A
 * number with its sign stays as it is: other programs read phones from these files. What holds a comma, a quote or a
 * line break is quoted.
 */
export function csvCell(value: string | null): string {
  if (value === null) return ''
  const disarmed = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(disarmed) ? `"${disarmed.replaceAll('"', '""')}"` : disarmed
}

/** Returns the text of a cell as it was before it was disarmed: of `'=1+1` the formula. */
export function readCsvCell(text: string): string {
  return DISARMED.test(text) ? text.slice(1) : text
}

/** A line of cells, with its end. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

/** By this mark spreadsheets know that a file is UTF-8. */
export const CSV_BOM = '\ufeff'
