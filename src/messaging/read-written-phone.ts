import type { Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { readPhone } from '../rules/messaging/phone-reading.ts'

/** The countries of the company's numbers: where their customers' numbers may come without one. */
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

export type WrittenPhone = { phone: string | null; rawPhone: string | null }

/**
 * A phone as a member or a file has it. Without its country it is that of the company's numbers when they
 * are all of one; else it stays as it is written, and is matched to nobody.
 *
 * Spec: Contacts › Phones.
 */
export function readWrittenPhone(text: string, countries: readonly string[]): WrittenPhone {
  const read = readPhone(text, countries.length === 1 ? countries[0]! : '')
  return read.ok ? { phone: read.value, rawPhone: null } : { phone: null, rawPhone: text }
}
