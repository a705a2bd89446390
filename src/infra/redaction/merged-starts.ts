import { ESCAPED, NIBBLES } from './sign-encodings.ts'

/**
 * A short secret whose first characters may be merged with the text in front of it: `%` before `4ab12cd/` decodes to
 * `Jb12cd/`. `taken` holds the characters that an escape can absorb, and `core` the rest, both as bytes in lower case.
 */
export type MergedStart = { taken: string; core: string }

/** Maximum number of characters that an escape absorbs: `\u` in front of a secret takes four digits. */
const MAX_TAKEN = 4

/** Returns how a secret may begin when it is merged; null when no escape absorbs its first character. */
export function mergedStartOf(secret: string): MergedStart | null {
  const lower = secret.toLowerCase()
  let taken = 0
  while (taken < MAX_TAKEN && NIBBLES[lower.charCodeAt(taken)]! >= 0) taken++
  if (taken === 0 && ESCAPED[lower.charCodeAt(0)]! > 0) taken = 1
  return taken === 0 ? null : { taken: lower.slice(0, taken), core: lower.slice(taken) }
}

/**
 * Returns the start of a secret whose `core` is at this position: the character in front of it must stand for what it
 * absorbed. Returns -1 when it does not.
 */
export function startOfMerged(bytes: Uint8Array, lower: string, at: number, taken: string): number {
  for (let absorbed = taken.length; absorbed > 0; absorbed--) {
    const rest = taken.slice(absorbed)
    const end = at - rest.length
    if (end < 1 || !lower.startsWith(rest, end)) continue
    const from = absorbedFrom(bytes, end, taken.slice(0, absorbed))
    if (from !== -1) return from
  }
  return -1
}

/** Returns where the character that ends at a position begins, if an escape with these last digits stands for it. */
function absorbedFrom(bytes: Uint8Array, end: number, digits: string): number {
  const byte = bytes[end - 1]!
  const octal = byte.toString(8).padStart(3, '0')
  if (hexOf(byte, 2).endsWith(digits) || octal.endsWith(digits)) return end - 1
  if (digits.length === 1 && ESCAPED[digits.charCodeAt(0)] === byte) return end - 1
  let from = end - 1
  while (from > 0 && end - from < 4 && (bytes[from]! & 0xc0) === 0x80) from--
  const [character = ''] = Buffer.from(bytes.subarray(from, end)).toString()
  const point = character.codePointAt(0) ?? 0
  const isSame =
    hexOf(point, 4).endsWith(digits) ||
    String(point).endsWith(digits) ||
    // A half of a surrogate pair is replaced.
    (point === 0xfffd && /^d[89a-f]/.test(digits))
  return isSame ? from : -1
}

const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
