import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { isCountry } from '../../rules/messaging/country-of-number.ts'
import { readWritten } from '../../rules/messaging/phone-reading.ts'
import type { Country } from '../../core/vocabulary/countries.ts'

/** The countries of the company's numbers: in each of them a search looks for a phone that comes without one. */
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
 * Returns the country of the company's numbers where they are all of one, else null. It is offered to whoever types a
 * phone, and counts only once they have seen it.
 */
export async function readCompanyCountry(
  db: Kysely<DB>,
  companyId: string,
): Promise<Country | null> {
  const [country, ...others] = await readCountries(db, companyId)
  return country !== undefined && others.length === 0 && isCountry(country) ? country : null
}

export type WrittenPhone = { phone: string | null; rawPhone: string | null }

/**
 * Returns a phone as a member or a form has it. Without its country, and where nobody has said it, it stays as it is
 * written, and is matched to nobody: a country is never guessed.
 *
 * Spec: Contacts › Phones.
 */
export function readWrittenPhone(text: string, country: Country | null): WrittenPhone {
  const read = readWritten(text, country)
  return read.ok ? { phone: read.value, rawPhone: null } : { phone: null, rawPhone: text }
}
