/** Reads the number of a list entry from folded text: `2`, `2)` or a keycap. Returns null for any other text. */
export function readOptionNumber(folded: string): number | null {
  const read = /^\(?(\d{1,3})\s?[).:-]?$/.exec(folded.replaceAll('\u20e3', ''))
  return read ? Number(read[1]) : null
}
