import { emailInput } from '../../schemas/email-input.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { isCountry } from '../../rules/messaging/country-of-number.ts'
import { readTypedPhone, hasCountryPrefix } from '../../rules/messaging/phone-reading.ts'
import { cleanText, countCodePoints } from '../../rules/text/json-text.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { bookingWords } from '../../i18n/pages/booking-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { nameOfCountry } from './country-options.ts'

/** A field of the booking form that can be wrong. */
export type BookingField = 'name' | 'country' | 'phone' | 'email'

/** The typed values, and their errors as texts. */
export type BookingForm = {
  name: string
  phone: string
  /** May be empty. */
  email: string
  country: Country | null
  /** The number in E.164; null while a field that it depends on is wrong. */
  number: string | null
  /**
   * True when the number is known to be the intended one: it has its country code, or the customer has confirmed it.
   */
  isConfirmed: boolean
  requestKey: string
  wrong: { [Field in BookingField]?: string }
}

/** A number without its country: long enough for one, and nothing but a number. */
const LOCAL_NUMBER = /^\d{7,15}$/
const SEPARATORS = /[\s\-()./]/g
const KEY = /^[\w-]{16,100}$/

/**
 * Reads and validates the submitted booking form.
 * @param newKey creates the idempotency key of a form that lost its own
 */
export function readBookingForm(
  form: URLSearchParams,
  language: Language,
  newKey: () => string,
): BookingForm {
  const said = (field: string) => cleanText(form.get(field) ?? '').trim()
  const [name, phone, email, chosen] = [said('name'), said('phone'), said('email'), said('country')]
  const country = isCountry(chosen) ? chosen : null
  const read = readTypedPhone(phone, country)
  const number = read.ok ? read.value : null
  const key = form.get('key') ?? ''
  const nameWrong = validateName(name, language)
  return {
    name,
    phone,
    email,
    country,
    number,
    isConfirmed: number !== null && (hasCountryPrefix(phone) || said('confirmed') === number),
    requestKey: KEY.test(key) ? key : newKey(),
    wrong: {
      ...(nameWrong && { name: nameWrong }),
      ...(number === null && validatePhone(phone, country, language)),
      ...(email !== '' &&
        !emailInput.safeParse(email).success && {
          email: sayIn(bookingWords, language)('emailWrong'),
        }),
    },
  }
}

function validateName(name: string, language: Language): string | null {
  const t = sayIn(bookingWords, language)
  if (name === '') return t('nameMissing')
  const max = APPOINTMENT_LIMITS.nameChars
  return countCodePoints(name) > max ? t('nameTooLong', { max }) : null
}

/**
 * Returns the errors of a number that cannot be read. When only its country is missing, the error is at the country.
 */
function validatePhone(
  phone: string,
  country: Country | null,
  language: Language,
): Pick<BookingForm['wrong'], 'country' | 'phone'> {
  const t = sayIn(bookingWords, language)
  if (phone === '') return { phone: t('phoneMissing') }
  const digits = withLatinDigits(phone).replaceAll(SEPARATORS, '')
  const isLocal = LOCAL_NUMBER.test(digits) && !digits.startsWith('00')
  if (!isLocal) return { phone: t('phoneWrong') }
  if (country === null) return { country: t('countryMissing') }
  return { phone: t('phoneNotOf', { country: nameOfCountry(language, country) }) }
}
