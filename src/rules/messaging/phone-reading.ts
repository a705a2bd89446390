import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Country } from '../../core/vocabulary/countries.ts'
import { numberKey } from '../identity/number-key.ts'
import { accept, refuse, type Result } from '../result.ts'
import { withLatinDigits } from '../text/latin-digits.ts'

export type PhoneRefusal = 'invalid_phone'

/** The countries whose mobile numbers are read without their country code. */
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

/** A Mexican mobile number with the 1 that WhatsApp still shows, and that the numbering plan has dropped. */
const MEXICAN_WITH_1 = /^521(?=\d{10}$)/

/** A phone number with every separator that a form may add; longer is no phone number. */
const MAX_VALUE_CHARS = 256

/** Matches ignored characters: white space, dashes, round and square brackets, invisible marks. */
const IGNORED =
  /[\s\-\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d()[\]\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Returns the digits of a value without separators, with its `+` if it has one; null for any other value. */
export function bareNumber(value: string): string | null {
  if (value.length > MAX_VALUE_CHARS) return null
  const trimmed = value.trim()
  // A negative number, or a list of one number: JSON that happens to consist of ignored characters.
  if (/^-\d+$|^\[\d+\]$/.test(trimmed)) return null
  const text = withLatinDigits(trimmed).replace(IGNORED, '')
  return /^\+?\d+$/.test(text) ? text : null
}

/**
 * Reads a merchant's value as an E.164 number with its `+`. `channelCountry` is the ISO code of the
 * country of the flow's number: only there, and only in the seven home countries, may a mobile
 * number come without its country code. Spec: Hooks › Phone reading.
 */
export function readPhone(value: string, channelCountry: string): Result<string, PhoneRefusal> {
  const text = bareNumber(value)
  const number = text === null ? null : readNumber(text, channelCountry)
  return number === null ? refuse('invalid_phone') : accept(number)
}

/**
 * Reads a number that a person wrote who could say its country: with its country code as `readPhone` does, else as it is
 * dialled in `country`, landlines included. Without a country only the former. Dots and slashes between its
 * groups, and the scheme of a link that calls, are ignored.
 * Spec: Contacts › Phones.
 */
export function readWritten(value: string, country: Country | null): Result<string, PhoneRefusal> {
  const text = bareWritten(value)
  if (text === null) return refuse('invalid_phone')
  const number = country === null ? null : readNational(text, country)
  return number === null ? readPhone(text, '') : accept(number)
}

/** Returns whether a number that a person wrote says itself that its country code comes first: by a `+` or `00`. */
export function saysItsCountry(value: string): boolean {
  return PREFIX.test(bareWritten(value) ?? '')
}

function bareWritten(value: string): string | null {
  if (value.length > MAX_VALUE_CHARS) return null
  const written = withLatinDigits(value)
    .replace(/^\s*tel:/i, '')
    .replace(/[./](?=\d{2})/g, '')
  return bareNumber(written)
}

/** Returns a number in E.164 in groups, as it is read aloud, in one line: `+966 50 111 2233`. */
export function groupDigits(number: string): string {
  const groups = parsePhoneNumberFromString(number)?.formatInternational() ?? number
  return groups.replaceAll(' ', '\u00a0')
}

/** Returns whether a provider's digits without `+` are of a length that numbers of their country have. */
export function canBeNumber(digits: string): boolean {
  return parsePhoneNumberFromString(`+${numberKey(digits)}`)?.isPossible() ?? false
}

/** Returns the number that digits without a prefix are in a country; null where they are none. */
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
 * Digits that begin with a country code. With a prefix (`+`, `00`) the sender's intent is plain, and
 * a number newer than the numbering plan we know is accepted by its shape.
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
  // The library drops a trunk prefix of any country; the reference forgives it in seven only.
  if (parsed === undefined || parsed.number !== number) return null
  return parsed.isValid() || (mayBePossible && parsed.isPossible()) ? number : null
}
