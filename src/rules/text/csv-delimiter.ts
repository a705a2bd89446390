const DELIMITERS = [',', ';', '\t', '|']
/** Matches the line in which a spreadsheet names the delimiter of a file. */
const DELIMITER_LINE = /^\ufeff?sep=(?<delimiter>[^\r\n"])(?:\r\n|\r|\n|$)/i

/**
 * Returns the delimiter of a CSV text and the index where its rows begin. A first line such as `sep=;` decides.
 * Otherwise the usual delimiter that is most frequent outside quotes in the first row wins, and a comma when the row
 * has none.
 */
export function findDelimiter(text: string): { delimiter: string; start: number } {
  const said = DELIMITER_LINE.exec(text)
  if (said) return { delimiter: said.groups!.delimiter!, start: said[0].length }
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break
    else if (!isQuoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  const highest = Math.max(...counts.values())
  return { delimiter: DELIMITERS.find((delimiter) => counts.get(delimiter) === highest)!, start: 0 }
}
