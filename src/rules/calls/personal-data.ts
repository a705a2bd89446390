/**
 * Masks phone numbers and e-mail addresses in responses of a merchant's system. Where a channel does not verify the
 * sender, they may belong to another person.
 *
 * Spec: Calls › AI actions.
 */
import { wordSet } from '../../core/vocabulary/word-set.ts'
import { readPhone, readTypedPhone } from '../messaging/phone-reading.ts'
import { foldText } from '../text/fold-text.ts'
import { plainDecimal } from '../text/decimal.ts'
import { JsonNumber } from '../text/json-number.ts'
import { isContainer, type JsonValue } from '../text/json-text.ts'
import { withLatinDigits } from '../text/latin-digits.ts'

/** The text in place of masked data. */
export const NOT_SHOWN = '[not shown]'

/** Matches digits of one number: adjacent, or with one or two separators between them. */
const NUMBER = /(?:\+|00)?\d(?:[ \u00a0().\u2011-]{0,2}\d){7,18}/g
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu
const LAST_DIGITS = 8

/** Returns the last digits, which are equal for two notations of one number. */
const numberEnd = (text: string): string =>
  withLatinDigits(text).replace(/\D/g, '').slice(-LAST_DIGITS)

/** Returns the last digits of all numbers in a text that are long enough for a phone number. */
export function numbersIn(text: string): string[] {
  return [...withLatinDigits(text).matchAll(NUMBER)].map(([found]) => numberEnd(found))
}

/** Returns the last digits of the numbers in a text that read as phone numbers. */
export function phonesIn(text: string): string[] {
  const found = [...withLatinDigits(text).matchAll(NUMBER)].map(([one]) => one)
  return found.filter(readsAsPhone).map(numberEnd)
}

/** Returns the numbers in a text that are written with their country code, in E.164. */
export function internationalIn(text: string): string[] {
  const found = [...withLatinDigits(text).matchAll(NUMBER)].map(([one]) => one)
  // Another number may be adjacent to a phone number.
  return found.flatMap((one) => {
    const whole = readInternational(one)
    return whole.length > 0 ? whole : one.split(/[ \u00a0]/).flatMap(readInternational)
  })
}

function readInternational(written: string): string[] {
  const read = readTypedPhone(written, null)
  return read.ok ? [read.value] : []
}

/** Returns the e-mail addresses in a text, in lower case. */
export function emailsIn(text: string): string[] {
  return [...text.matchAll(EMAIL)].map(([found]) => found.toLowerCase())
}

/** Returns whether digits are a phone number: with a country code, or in a national notation. */
function readsAsPhone(written: string): boolean {
  const digits = written.replace(/\D/g, '')
  if (digits.length > 15) return false
  // A date or a time of day is not a phone number.
  if (/^(?:19|20)\d\d[-. ](?:0\d|1[0-2])[-. ]/.test(written)) return false
  if (written.startsWith('+') || written.startsWith('00')) return true
  if (digits.startsWith('0')) return digits.length >= 9 && digits.length <= 11
  return digits.length >= 10 && readPhone(`+${digits}`, '').ok
}

/**
 * The details that the customer has written, which are not masked: the last digits of numbers, e-mail addresses in
 * lower case, and all words folded.
 */
export type OwnDetails = {
  numbers: ReadonlySet<string>
  emails: ReadonlySet<string>
  words: string
}

/** Returns the numbers, addresses and words in the customer's texts, which may be repeated to them. */
export function ownDetailsIn(texts: readonly string[]): OwnDetails {
  return {
    numbers: new Set(texts.flatMap(numbersIn)),
    emails: new Set(texts.flatMap(emailsIn)),
    words: foldText(texts.join('\n')),
  }
}

/** Returns the text without the phone numbers and addresses that the customer has not written. */
export function maskText(text: string, { numbers, emails }: OwnDetails): string {
  const others = new Set([
    ...phonesIn(text).filter((phone) => !numbers.has(phone)),
    ...emailsIn(text).filter((email) => !emails.has(email)),
  ])
  return others.size === 0 ? text : maskNamed(text, others, () => NOT_SHOWN)
}

/** Returns the text with `mask` applied to the listed numbers and addresses. */
export function maskNamed(
  text: string,
  named: ReadonlySet<string>,
  mask: (found: string) => string,
): string {
  let masked = ''
  let from = 0
  for (const { 0: found, index } of withLatinDigits(text).matchAll(NUMBER)) {
    if (!named.has(numberEnd(found))) continue
    masked += text.slice(from, index) + mask(text.slice(index, index + found.length))
    from = index + found.length
  }
  return (masked + text.slice(from)).replace(EMAIL, (found) =>
    named.has(found.toLowerCase()) ? mask(found) : found,
  )
}

const KEYS =
  wordSet(`phone phones mobile tel telephone cell cellphone msisdn whatsapp email emails mail address
  addresses street iban card pan birth birthday birthdate dob passport iqama ssn`)
const KEY_WORDS_ARABIC = /هاتف|جوال|موبايل|واتس|بريد|ايميل|عنوان|ايبان|بطاقه|ميلاد|هويه|جواز|اقامه/u
const PEOPLE =
  wordSet(`customer client recipient receiver contact buyer user holder guest patient member first last
  full shipping billing consignee عميل العميل مستلم المستلم زبون الزبون`)

/** Returns a value with personal data masked, by the names of its fields and by the content of its texts. */
export function maskJson(value: JsonValue, said: OwnDetails): JsonValue {
  return maskAt(value, said, false)
}

/** The depth below which a value is masked without being read. */
const MAX_DEPTH = 100

function maskAt(value: JsonValue, said: OwnDetails, isOfPerson: boolean, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) return NOT_SHOWN
  if (typeof value === 'string') return maskText(value, said)
  if (typeof value === 'number' || value instanceof JsonNumber) {
    const digits = digitsOf(value)
    return maskText(digits, said) === digits ? value : NOT_SHOWN
  }
  if (Array.isArray(value)) return value.map((one) => maskAt(one, said, isOfPerson, depth + 1))
  if (!isContainer(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]): [string, JsonValue] => {
      const words = wordsOfKey(key)
      const isPerson = words.some((word) => PEOPLE.has(word))
      if (isPersonal(words, isOfPerson) && one !== null && typeof one !== 'boolean') {
        return [key, isSaid(one, said) ? one : NOT_SHOWN]
      }
      return [key, maskAt(one, said, isPerson, depth + 1)]
    }),
  )
}

/** Returns a number without an exponent, which would hide a phone number. */
function digitsOf(value: number | boolean | JsonNumber): string {
  const text = value instanceof JsonNumber ? value.text : String(value)
  return plainDecimal(text) ?? text
}

/** Returns the words of a key: "customerPhone_2" gives customer, phone. */
const wordsOfKey = (key: string): string[] =>
  foldText(key.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace(/[^\p{L}]+/gu, ' ')).split(' ')

function isPersonal(words: readonly string[], isOfPerson: boolean): boolean {
  if (words.some((word) => KEYS.has(word) || KEY_WORDS_ARABIC.test(word))) return true
  if (words.includes('national') && words.includes('id')) return true
  const isName = words.includes('name') || words.includes('اسم') || words.includes('الاسم')
  return isName && (isOfPerson || words.some((word) => PEOPLE.has(word)))
}

function isSaid(value: JsonValue, said: OwnDetails): boolean {
  if (value === null || isContainer(value)) return false
  const text = typeof value === 'string' ? value : digitsOf(value)
  const end = numberEnd(text)
  if (end.length === LAST_DIGITS && said.numbers.has(end)) return true
  const folded = foldText(text)
  return said.emails.has(text.toLowerCase()) || (folded.length >= 3 && said.words.includes(folded))
}
