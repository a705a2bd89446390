import { withoutInvisible } from '../text/fold-text.ts'
import { readDecimal, type Decimal } from '../text/decimal.ts'
import { withLatinSigns } from '../text/latin-digits.ts'

/** Reads a number of any length as a person writes it, without redundant zeros. Returns null for any other text. */
export function readNumber(text: string): string | null {
  const plain = withLatinSigns(text)
  const read = /^([+-]?)(\d{1,40}|\d{1,3}(?:,\d{3}){1,12})(?:\.(\d{1,40}))?$/.exec(plain)
  if (!read) return null
  const whole = read[2]!.replaceAll(',', '').replace(/^0+(?=\d)/, '')
  const part = (read[3] ?? '').replace(/0+$/, '')
  const number = part === '' ? whole : `${whole}.${part}`
  return read[1] === '-' && number !== '0' ? `-${number}` : number
}

/**
 * Returns the value of a number as a person writes it, or in a program's notation such as 1e+21. Direction marks are
 * ignored. Returns null for any other text.
 */
export function numberOf(text: string): Decimal | null {
  const plain = withoutInvisible(text).trim()
  const program = /^-?\d/.test(plain) ? readDecimal(plain) : null
  if (program !== null) return program
  const read = readNumber(plain)
  return read === null ? null : readDecimal(read)
}
