import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { isCountry } from '../../rules/messaging/country-of-number.ts'
import { readTypedPhone } from '../../rules/messaging/phone-reading.ts'
import type { Country } from '../../core/vocabulary/countries.ts'

/**
 * Returns the countries of the numbers of a company's channels. A search tries a phone without a country in each of
 * them.
 */
export async function readCountries(db: Kysely<DB>, companyId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('channel')
    .select('country')
    .distinct()
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .where('country', 'is not', null)
    .execute()
  return rows.map(({ country }) => country!)
}

/**
 * Returns the country of a company's numbers when all have the same, else null. It is a suggestion for people who type
 * a phone, and counts only once they have seen it.
 */
export async function readCompanyCountry(
  db: Kysely<DB>,
  companyId: string,
): Promise<Country | null> {
  const [country, ...others] = await readCountries(db, companyId)
  return country !== undefined && others.length === 0 && isCountry(country) ? country : null
}

/** A typed phone: in E.164 with its country, or raw without. */
export type WrittenPhone = { phone: string | null; rawPhone: string | null }

/**
 * Reads a phone as a member or a form wrote it. Without a known country it stays raw and matches no contact: a
 * country is never guessed.
 *
 * Spec: Contacts › Phones.
 */
export function readWrittenPhone(text: string, country: Country | null): WrittenPhone {
  const read = readTypedPhone(text, country)
  return read.ok ? { phone: read.value, rawPhone: null } : { phone: null, rawPhone: text }
}
