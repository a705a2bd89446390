import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { CALLING_CODES, type Country } from '../../core/vocabulary/countries.ts'

/**
 * Returns the country of a business's own number, as ISO 3166-1 alpha-2; null when its digits name none.
 * `digits` are those of E.164 without the `+`.
 */
export function countryOfNumber(digits: string): string | null {
  return parsePhoneNumberFromString(`+${digits}`)?.country ?? null
}

/** Returns whether a text is the ISO 3166-1 alpha-2 code of a country that has phone numbers. */
export function isCountry(code: string): code is Country {
  return Object.hasOwn(CALLING_CODES, code)
}
