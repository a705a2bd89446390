import { sql, type Kysely, type RawBuilder } from 'kysely'
import { fact } from '../../core/facts/fact.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import type { DB } from '../../infra/database/tables.ts'
import { numberKey } from '../../rules/identity/number-key.ts'
import { readPhone } from '../../rules/messaging/phone-reading.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import { searchForm } from '../../rules/text/search-form.ts'
import { readUuid } from '../../rules/text/uuid.ts'
import { readCountries } from './read-written-phone.ts'
import { searchRefused } from './search-with-timeout.ts'

type ContactSearch = { companyId: string; text: string }

/**
 * Returns the SQL condition that a contact matches a member's search text.
 * @throws invalid for text that is too short; otherwise as `contactSearchCondition`.
 */
export async function requireContactSearch(
  db: Kysely<DB>,
  contactId: RawBuilder<unknown>,
  search: ContactSearch,
): Promise<RawBuilder<unknown>> {
  const found = await contactSearchCondition(db, contactId, search)
  if (!found) throw searchRefused(fact('search_too_short', { min: SEARCH_LIMITS.minLetters }))
  return found
}

/**
 * Returns the SQL condition that a contact matches a member's search text, or null for text that is too short.
 * It matches a phone in any form or its last digits, an e-mail address, an id, or all parts of a name. A phone without
 * a country is tried in the countries of the company's numbers.
 * Complete values match few contacts: they are looked up first as an array, so that the planner does not walk an
 * ordered list to its end.
 *
 * @param contactId the column with the contact's id
 * Spec: Contacts › Search.
 */
export async function contactSearchCondition(
  db: Kysely<DB>,
  contactId: RawBuilder<unknown>,
  { companyId, text }: ContactSearch,
): Promise<RawBuilder<unknown> | null> {
  const whole = valueQueries(companyId, text, await readCountries(db, companyId))
  const queries = [...whole, ...nameQueries(companyId, text)]
  if (queries.length === 0) return null
  const found = sql.join(queries, sql` union all `)
  return whole.length > 0
    ? sql`${contactId} = any(array(${found}))`
    : sql`${contactId} in (${found})`
}

function valueQueries(companyId: string, text: string, countries: readonly string[]) {
  const queries: RawBuilder<unknown>[] = []
  const id = readUuid(text)
  if (id !== null) {
    queries.push(sql`select id from contact where company_id = ${companyId} and id = ${id}`)
  }
  if (text.startsWith('c_')) {
    queries.push(sql`select contact_id from conversation
      where company_id = ${companyId} and id = ${text} and contact_id is not null`)
  }
  if (text.includes('@')) {
    queries.push(sql`select id from contact
      where company_id = ${companyId} and lower(email) = ${text.toLowerCase()}`)
  }
  const phones = [...new Set(['', ...countries])].flatMap((country) => {
    const read = readPhone(text, country)
    return read.ok ? [read.value] : []
  })
  // A business-scoped id begins with a country code; an `@lid` ends with that suffix.
  const isProvidersId = /^[A-Z]{2}\.\S+$|@lid$/.test(text)
  const keys = [
    ...phones.map((phone) => numberKey(phone.slice(1))),
    ...(isProvidersId ? [text] : []),
  ]
  if (keys.length > 0) {
    queries.push(sql`select identity.contact_id
      from identifier join identity on identity.id = identifier.identity_id
      where identifier.company_id = ${companyId}
        and identifier.kind in ('number', 'user', 'parent', 'lid')
        and identifier.key = any(${keys}::text[]) and identifier.state <> 'left'`)
  }
  const end = withLatinDigits(text).replaceAll(/[\s()+.-]/g, '')
  if (/^\d+$/.test(end) && end.length >= SEARCH_LIMITS.minLastDigits) {
    const backwards = [...end].toReversed().join('')
    queries.push(sql`select identity.contact_id
      from identifier join identity on identity.id = identifier.identity_id
      where identifier.company_id = ${companyId} and identifier.kind = 'number'
        and identifier.state <> 'left' and reverse(identifier.key) like ${`${backwards}%`}`)
  }
  return queries
}

function nameQueries(companyId: string, text: string) {
  const words = searchForm(text).split(' ').filter(Boolean)
  if (words.join('').length < SEARCH_LIMITS.minLetters) return []
  // «عبدالرحمن» equals «عبد الرحمن»: a word may span two words of the name. Short words may not, as they would match
  // almost any pair.
  const parts = words.map((word) => {
    const name =
      word.length < SEARCH_LIMITS.minAcross ? sql`search_name` : sql`replace(search_name, ' ', '')`
    return sql`${name} like ${`%${word}%`}`
  })
  return [
    sql`select id from contact where company_id = ${companyId} and ${sql.join(parts, sql` and `)}`,
  ]
}
