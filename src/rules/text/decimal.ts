/** Compares and formats decimal numbers in text form, of any length and without rounding to a double. */

/** A number with the value 0.`digits` times ten to the power of `point`. Zero has no digits and is not negative. */
export type Decimal = { isNegative: boolean; digits: string; point: number }

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,15}))?$/i
/** The notation of numbers in JSON: no leading zeros, no plus sign. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d{1,15})?$/i
/** The limit of digits for a number that is written out. */
const MAX_PLAIN_DIGITS = 100

/** Reads digits with an optional fraction and exponent. Returns null for any other text. */
export function readDecimal(text: string): Decimal | null {
  const read = DECIMAL.exec(text)
  if (!read) return null
  const [, sign, whole = '', part = '', exponent = '0'] = read
  const all = whole + part
  let from = 0
  while (all.charAt(from) === '0') from++
  let to = all.length
  while (to > from && all.charAt(to - 1) === '0') to--
  if (from === to) return { isNegative: false, digits: '', point: 0 }
  const point = whole.length - from + Number(exponent)
  return { isNegative: sign === '-', digits: all.slice(from, to), point }
}

/** Returns a number below, equal to or above zero when `one` is less than, equal to or greater than `two`. */
export function compareDecimals(one: Decimal, two: Decimal): number {
  if (signOf(one) !== signOf(two)) return signOf(one) - signOf(two)
  const larger = one.point - two.point || compareTexts(one.digits, two.digits)
  return one.isNegative ? -larger : larger
}

/** Returns whether two texts are JSON numbers of equal value, such as `49.90` and `49.9`. `007` is no JSON number. */
export function isSameNumber(one: string, two: string): boolean {
  if (!JSON_NUMBER.test(one) || !JSON_NUMBER.test(two)) return false
  return compareDecimals(readDecimal(one)!, readDecimal(two)!) === 0
}

/**
 * Writes a number out without an exponent and without redundant zeros. Returns null for any other text and for very
 * long numbers.
 */
export function plainDecimal(text: string): string | null {
  const read = readDecimal(text)
  if (read === null) return null
  const { isNegative, digits, point } = read
  if (digits === '') return '0'
  if (Math.max(point, digits.length - point, digits.length) > MAX_PLAIN_DIGITS) return null
  const whole = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const part = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  return `${isNegative ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`
}

const signOf = ({ digits, isNegative }: Decimal): number =>
  digits === '' ? 0 : isNegative ? -1 : 1

const compareTexts = (one: string, two: string): number => (one < two ? -1 : one > two ? 1 : 0)
