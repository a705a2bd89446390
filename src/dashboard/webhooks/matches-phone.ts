import { withLatinDigits } from '../../rules/text/latin-digits.ts'

/** Characters that people type between the digits of a phone number. */
const BETWEEN = /[\s()-]/g
/** The minimum number of digits with which a number matches the end of a phone. */
const MIN_DIGITS = 7

/**
 * Returns whether a typed number matches this phone, such as `+966501234567`. A number without country code matches
 * every phone that ends with it: only the service knows the company's country, by which it reads such numbers.
 */
export function matchesPhone(typed: string, phone: string): boolean {
  const text = withLatinDigits(typed).replaceAll(BETWEEN, '')
  const whole = /^(?:\+|00)(\d+)$/.exec(text)
  if (whole) return phone === `+${whole[1]!}`
  const digits = text.replace(/^0/, '')
  return /^\d+$/.test(digits) && digits.length >= MIN_DIGITS && phone.endsWith(digits)
}
