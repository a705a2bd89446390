/**
 * The maximum length of a needle for which the built-in `indexOf` is fast with any text; a longer one can be made to
 * take minutes.
 */
const SHORT_NEEDLE = 64

/** Works like `indexOf` of a text, in time that is linear in the text (Knuth, Morris and Pratt). */
export function indexOf(bytes: string, needle: string, from: number): number {
  if (needle.length <= SHORT_NEEDLE) return bytes.indexOf(needle, from)
  const borders = bordersOf(needle)
  let matched = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes.charCodeAt(at)
    while (matched > 0 && needle.charCodeAt(matched) !== byte) {
      matched = borders[matched - 1] as number
    }
    if (needle.charCodeAt(matched) === byte) matched++
    if (matched === needle.length) return at + 1 - matched
  }
  return -1
}

/** Returns, for each prefix of the needle, the length of the longest proper prefix that it also ends with. */
function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length)
  for (let at = 1, length = 0; at < needle.length; at++) {
    while (length > 0 && needle.charCodeAt(at) !== needle.charCodeAt(length)) {
      length = borders[length - 1] as number
    }
    if (needle.charCodeAt(at) === needle.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}
