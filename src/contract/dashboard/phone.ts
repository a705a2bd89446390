/** Phones that people type, and the country that they say with them. Spec: Contacts › Phones. */
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { isCountry } from '../../rules/messaging/country-of-number.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import type { Route } from './route.ts'

/** The ISO 3166-1 alpha-2 code of a country. */
export const country = z.string().refine(isCountry, failsWith(fact('wrong_country')))

/**
 * A phone number in any form. Without a country code, it belongs to the `country` that is sent with it, or else is
 * stored as written.
 */
export const writtenPhone = formText(1, CONTACT_LIMITS.rawPhoneChars)

/** The country of a phone number without a country code. The country is unknown if it is null or left out. */
export const countryOfPhone = country.nullish()

/** A phone number as a member types it, to be read. */
export const ReadPhone = z.strictObject({ phone: writtenPhone, country: countryOfPhone })
export type ReadPhone = z.output<typeof ReadPhone>

/** The number in E.164 form; null if it is stored as written. */
export type PhoneReading = { phone: string | null }

/** The country of the company's numbers; null if they are of several. */
export type PhoneCountry = { country: Country | null }

export interface PhoneRoutes {
  '/companies/:companyId/phone-country': { get: Route<PhoneCountry> }
  '/companies/:companyId/phone-readings': { post: Route<PhoneReading, { json: typeof ReadPhone }> }
}
