import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Country } from '../../core/vocabulary/countries.ts'
import { numberKey } from '../identity/number-key.ts'
import { accept, refuse, type Result } from '../result.ts'
import { withLatinDigits } from '../text/latin-digits.ts'

/** The reason for which a phone number is refused. */
export type PhoneRefusal = 'invalid_phone'

/** The countries whose mobile numbers are accepted without their country code. */
const HOME_COUNTRIES: Record<string, { code: string; mobile: RegExp }> = {
  SA: { code: '966', mobile: /^5\d{8}$/ },
  AE: { code: '971', mobile: /^5\d{8}$/ },
  KW: { code: '965', mobile: /^([569]\d|41)\d{6}$/ },
  QA: { code: '974', mobile: /^[3567]\d{7}$/ },
  BH: { code: '973', mobile: /^[36]\d{7}$/ },
  OM: { code: '968', mobile: /^[79]\d{7}$/ },
  EG: { code: '20', mobile: /^1\d{9}$/ },
}

/** Matches the prefix that announces a country code. */
const PREFIX = /^(\+|00)/

/** Matches a Mexican mobile number with the 1 that the numbering plan dropped and WhatsApp still shows. */
const MEXICAN_WITH_1 = /^521(?=\d{10}$)/

/** The limit of a phone number with all separators of a form. */
const MAX_VALUE_CHARS = 256

/** Matches ignored characters: white space, dashes, round and square brackets, invisible marks. */
const IGNORED =
  /[\p{White_Space}\p{Dash_Punctuation}\u2212()[\]\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu

/** Returns the digits of a value without separators, with its `+` if it has one; null for any other value. */
export function bareNumber(value: string): string | null {
  if (value.length > MAX_VALUE_CHARS) return null
  const trimmed = value.trim()
  // Refuses a negative number and a list of one number, JSON whose other characters are ignored ones.
  if (/^-\d+$|^\[\d+\]$/.test(trimmed)) return null
  const text = withLatinDigits(trimmed).replace(IGNORED, '')
  return /^\+?\d+$/.test(text) ? text : null
}

/**
 * Reads a merchant's value as an E.164 number with its `+`. `channelCountry` is the ISO code of the country of the
 * flow's number. Only there, and only in the seven home countries, may a mobile number lack its country code.
 * Spec: Hooks › Phone reading.
 */
export function readPhone(value: string, channelCountry: string): Result<string, PhoneRefusal> {
  const text = bareNumber(value)
  const number = text === null ? null : readNumber(text, channelCountry)
  return number === null ? refuse('invalid_phone') : accept(number)
}

/**
 * Reads a phone number as a person wrote it, and returns it in E.164. With its country code it is read as by
 * `readPhone`, else as it is dialled in `country`, including landlines; a null country requires the code. Dots and
 * slashes between groups, and the scheme of a call link, are ignored. Spec: Contacts › Phones.
 */
export function readTypedPhone(
  value: string,
  country: Country | null,
): Result<string, PhoneRefusal> {
  const text = bareWritten(value)
  if (text === null) return refuse('invalid_phone')
  const number = country === null ? null : readNational(text, country)
  return number === null ? readPhone(text, '') : accept(number)
}

/** Returns whether a written number announces its country code by a `+` or `00`. */
export function hasCountryPrefix(value: string): boolean {
  return PREFIX.test(bareWritten(value) ?? '')
}

function bareWritten(value: string): string | null {
  if (value.length > MAX_VALUE_CHARS) return null
  const written = withLatinDigits(value)
    .replace(/^\s*tel:/i, '')
    .replace(/[./](?=\d{2})/g, '')
  return bareNumber(written)
}

/** Returns an E.164 number in groups for reading, on one line: `+966 50 111 2233`. */
export function groupDigits(number: string): string {
  const groups = parsePhoneNumberFromString(number)?.formatInternational() ?? number
  return groups.replaceAll(' ', '\u00a0')
}

/** Returns whether digits without `+` have a valid length in their country. */
export function isPossibleNumber(digits: string): boolean {
  return parsePhoneNumberFromString(`+${numberKey(digits)}`)?.isPossible() ?? false
}

/** Returns the number of digits that are dialled in a country; null for invalid ones. */
function readNational(text: string, country: Country): string | null {
  if (PREFIX.test(text)) return null
  const mobile = readHomeMobile(text, country)
  if (mobile !== null) return mobile
  const parsed = parsePhoneNumberFromString(text, country)
  return parsed?.isValid() ? parsed.number : null
}

function readNumber(text: string, channelCountry: string): string | null {
  if (text.startsWith('+')) return readInternational(text.slice(1), true)
  if (text.startsWith('00')) return readInternational(text.slice(2), true)
  return readHomeMobile(text, channelCountry) ?? readInternational(text, false)
}

function readHomeMobile(text: string, country: string): string | null {
  const home = Object.hasOwn(HOME_COUNTRIES, country) && HOME_COUNTRIES[country]
  const national = text.replace(/^0/, '')
  return home && home.mobile.test(national) ? `+${home.code}${national}` : null
}

/**
 * Reads digits that begin with a country code. A prefix (`+`, `00`) makes the intent plain, so numbers that are newer
 * than the library's numbering plan are then accepted by their shape.
 */
function readInternational(written: string, hasPrefix: boolean): string | null {
  const digits = written.replace(MEXICAN_WITH_1, '52')
  if (digits.startsWith('0') || digits.length > 16) return null
  const home = Object.values(HOME_COUNTRIES).find(({ code }) => digits.startsWith(code))
  if (home === undefined) return readByPlan(`+${digits}`, hasPrefix)
  const national = digits.slice(home.code.length).replace(/^0/, '')
  if (national.startsWith('0')) return null
  const number = `+${home.code}${national}`
  return hasPrefix && home.mobile.test(national) ? number : readByPlan(number, false)
}

function readByPlan(number: string, mayBePossible: boolean): string | null {
  const parsed = parsePhoneNumberFromString(number)
  // The library drops a trunk prefix of any country; the reference allows it in seven only.
  if (parsed === undefined || parsed.number !== number) return null
  return parsed.isValid() || (mayBePossible && parsed.isPossible()) ? number : null
}
