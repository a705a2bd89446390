const DELIMITERS = [',', ';', '\t', '|']
/** The line by which a spreadsheet says the delimiter of a file. */
const SAYS_DELIMITER = /^\ufeff?sep=(?<delimiter>[^\r\n"])(?:\r\n|\r|\n|$)/i

/**
 * Returns the delimiter of a CSV text and where its rows begin: what its first line says (`sep=;`), else the one of the
 * usual delimiters that its first row has most of outside of quotes; a comma where it has none.
 */
export function findDelimiter(text: string): { delimiter: string; start: number } {
  const said = SAYS_DELIMITER.exec(text)
  if (said) return { delimiter: said.groups!.delimiter!, start: said[0].length }
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break
    else if (!isQuoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  const most = Math.max(...counts.values())
  return { delimiter: DELIMITERS.find((delimiter) => counts.get(delimiter) === most)!, start: 0 }
}
