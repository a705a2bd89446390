import { withLatinDigits } from '../../rules/text/latin-digits.ts'

/** What people put between the digits of a phone. */
const BETWEEN = /[\s()-]/g
/** The shortest number that is told by its end alone. */
const LEAST_DIGITS = 7

/**
 * Whether what somebody typed is this phone, `+966501234567`. The service knows the shop's country and reads a number
 * without its country code by it; here such a one is the phone that ends with it.
 */
export function isPhone(typed: string, phone: string): boolean {
  const text = withLatinDigits(typed).replaceAll(BETWEEN, '')
  const whole = /^(?:\+|00)(\d+)$/.exec(text)
  if (whole) return phone === `+${whole[1]!}`
  const digits = text.replace(/^0/, '')
  return /^\d+$/.test(digits) && digits.length >= LEAST_DIGITS && phone.endsWith(digits)
}
