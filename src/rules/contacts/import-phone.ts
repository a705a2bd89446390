import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { isCountry } from '../messaging/country-of-number.ts'
import { readPhone } from '../messaging/phone-reading.ts'
import { withoutInvisible } from '../text/fold-text.ts'
import { countCodePoints } from '../text/json-text.ts'
import { withLatinSigns } from '../text/latin-digits.ts'

/** A phone number in E.164, or as written when its country is unknown. */
export type ImportedPhone = { phone: string | null; rawPhone: string | null }

/** Matches scientific notation, in which spreadsheets write long numbers. */
const SCIENTIFIC = /^([0-9])(?:[.,]([0-9]{1,15}))?E\+?([0-9]{1,2})$/i
/** Matches a whole number that a program wrote as a fraction. */
const FRACTION = /^(\+?[0-9]{5,16})[.,]0{1,6}$/
/** Matches a text written as a formula, so that a spreadsheet keeps its zeros. */
const FORMULA = /^="([^"]{0,64})"$/
/** Matches the mark that makes a spreadsheet keep a cell as text. */
const TEXT_MARK = /^'/
const URI = /^(?:tel|callto|whatsapp|wa\.me):?\/{0,2}/i
const BETWEEN_NUMBERS = /[/,;،؛|\r\n]+/
const MIN_DIGITS = 4
const DIGITS_OF_ANOTHER = 7

/**
 * Reads the cell of a phone number as spreadsheets, address books and people write it, or returns why it is refused. A
 * number without a country code is read in `country`, or stored as it is written when that is null. A number with lost
 * digits, several numbers, and any other text are refused. Pure.
 *
 * Spec: Contacts › Phones; Contacts › Import.
 */
export function readImportedPhone(
  cell: string,
  country: string | null,
): { ok: true; value: ImportedPhone } | { ok: false; fault: Fact } {
  const bare = withLatinSigns(withoutInvisible(cell)).trim().replace(TEXT_MARK, '')
  const text = (FORMULA.exec(bare)?.[1] ?? bare).replace(URI, '').trim()
  const plain = withoutFraction(text)
  if (plain === null) return { ok: false, fault: fact('import_phone_rounded') }
  const phone = readWithCountry(plain, country)
  if (phone !== null) return { ok: true, value: { phone, rawPhone: null } }
  const numbers = plain.split(BETWEEN_NUMBERS).filter((part) => digitsIn(part) >= DIGITS_OF_ANOTHER)
  if (numbers.length > 1) return { ok: false, fault: fact('import_phone_several') }
  if (digitsIn(plain) < MIN_DIGITS) return { ok: false, fault: fact('invalid_phone') }
  const max = CONTACT_LIMITS.rawPhoneChars
  const count = countCodePoints(cell)
  if (count > max) return { ok: false, fault: fact('too_long', { min: 1, max, count }) }
  return { ok: true, value: { phone: null, rawPhone: cell } }
}

/** Returns the digits of a phone stored as it was written, without leading zeros. */
export function digitsOfRawPhone(rawPhone: string): string {
  return withLatinSigns(rawPhone).replace(/\D/g, '').replace(/^0+/, '')
}

/** Returns the text without the additions of number formats; null when they have lost digits. */
function withoutFraction(text: string): string | null {
  const fraction = FRACTION.exec(text)
  if (fraction) return fraction[1]!
  const scientific = SCIENTIFIC.exec(text)
  if (!scientific) return text
  const [, first = '', rest = '', exponent = ''] = scientific
  return rest.length === Number(exponent) ? first + rest : null
}

function readWithCountry(text: string, country: string | null): string | null {
  if (country !== null && isCountry(country) && /^[1-9(]|^0(?!0)/.test(text)) {
    const read = parsePhoneNumberFromString(text, country)
    if (read?.isValid() && read.ext === undefined && /^[\d\s().-]+$/.test(text)) return read.number
  }
  const read = readPhone(text, country ?? '')
  return read.ok ? read.value : null
}

const digitsIn = (text: string) => text.replace(/\D/g, '').length
