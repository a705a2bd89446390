const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the nesting depth and the number of values of a JSON text without parsing it, or arbitrary ones for other
 * input. A parser would need many times the memory and time, so this check comes first. Stops as soon as either exceeds
 * its limit.
 */
export function weighJson(
  bytes: Uint8Array,
  max: { depth: number; values: number },
): { depth: number; values: number } {
  const weight = { depth: 0, values: 1 }
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) weight.values += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      weight.values += 1
      if (depth > weight.depth) weight.depth = depth
    }
    if (weight.depth > max.depth || weight.values > max.values) return weight
  }
  return weight
}

/** Returns the index of the quotation mark that ends a text, or the length of the bytes when there is none. */
function endOfText(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1)
  while (end !== -1) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
    end = bytes.indexOf(QUOTE, end + 1)
  }
  return bytes.length
}
