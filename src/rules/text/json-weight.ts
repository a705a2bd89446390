const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns how deep the lists and objects of a JSON text are nested and how many values stand in them, without parsing
 * it: what a parser makes of a few bytes a value is many times as large, and takes as much longer to make and to
 * check. Ends where either is more than asked for. Of what is no JSON it says something, and does not throw.
 */
export function weighJson(
  bytes: Uint8Array,
  most: { depth: number; values: number },
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
    if (weight.depth > most.depth || weight.values > most.values) return weight
  }
  return weight
}

/** Returns where the quotation mark stands that ends a text, or where the bytes end. */
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
