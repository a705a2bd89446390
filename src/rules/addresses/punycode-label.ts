/** The parameters of RFC 3492. */
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_CODE_POINT = 128

/**
 * Returns whether a host label that begins with `xn--` encodes a text, and is the label of that text.
 * Some URL parsers let any such label through, valid or not.
 */
export function isPunycodeLabel(label: string): boolean {
  const text = decodePunycode(label.slice('xn--'.length))
  return text !== null && URL.parse(`https://${text}.com`)?.hostname === `${label}.com`
}

/**
 * Decodes a Punycode string; returns null for an invalid one. Labels have at most 63 letters, so quadratic time is
 * fine.
 */
function decodePunycode(input: string): string | null {
  const delimiter = input.lastIndexOf('-')
  const points = Array.from(input.slice(0, Math.max(0, delimiter)), (char) => char.charCodeAt(0))
  let at = delimiter + 1
  let codePoint = FIRST_CODE_POINT
  let bias = FIRST_BIAS
  let index = 0
  if (at === input.length) return null
  while (at < input.length) {
    const before = index
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = '0123456789'.includes(input.charAt(at))
        ? input.charCodeAt(at) - 0x30 + 26
        : input.charCodeAt(at) - 0x61
      at++
      if (!(digit >= 0 && digit < BASE)) return null
      index += digit * weight
      if (index > Number.MAX_SAFE_INTEGER) return null
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = points.length + 1
    bias = adapt(index - before, length, before === 0)
    codePoint += Math.floor(index / length)
    if (codePoint > 0x10ffff) return null
    index %= length
    points.splice(index++, 0, codePoint)
  }
  return String.fromCodePoint(...points)
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
