/** A number as a list shows it, `2`, `2)` or a keycap; the text is folded. Null of anything else. */
export function readPlace(folded: string): number | null {
  const read = /^\(?(\d{1,3})\s?[).:-]?$/.exec(folded.replaceAll('\u20e3', ''))
  return read ? Number(read[1]) : null
}
