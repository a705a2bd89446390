import { sql, type RawBuilder } from 'kysely'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { numberKey } from '../../rules/identity/number-key.ts'
import { readPhone } from '../../rules/messaging/phone-reading.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import { searchForm } from '../../rules/text/search-form.ts'
import { readUuid } from '../../rules/text/uuid.ts'

/**
 * Whether a column names one of a company's contacts that a member's words mean: a phone in any form or by its last
 * digits, an e-mail address, an id of ours or of a provider's by equality, and a name by its parts, all of them. Null
 * for what is no whole value and too short for a name.
 *
 * A whole value is few contacts' whatever the planner believes: they are looked up first, as an array, so that
 * a list in its order is never walked for them to its end.
 *
 * @param countries of the company's numbers: a phone without its country is looked for in each.
 * Spec: Contacts › Search.
 */
export function isFound(
  contactId: RawBuilder<unknown>,
  { companyId, text }: { companyId: string; text: string },
  countries: readonly string[],
): RawBuilder<unknown> | null {
  const whole = byValue(companyId, text, countries)
  const ways = [...whole, ...byName(companyId, text)]
  if (ways.length === 0) return null
  const found = sql.join(ways, sql` union all `)
  return whole.length > 0
    ? sql`${contactId} = any(array(${found}))`
    : sql`${contactId} in (${found})`
}

function byValue(companyId: string, text: string, countries: readonly string[]) {
  const ways: RawBuilder<unknown>[] = []
  const id = readUuid(text)
  if (id !== null) {
    ways.push(sql`select id from contact where company_id = ${companyId} and id = ${id}`)
  }
  if (text.startsWith('c_')) {
    ways.push(sql`select contact_id from conversation
      where company_id = ${companyId} and id = ${text} and contact_id is not null`)
  }
  if (text.includes('@')) {
    ways.push(sql`select id from contact
      where company_id = ${companyId} and lower(email) = ${text.toLowerCase()}`)
  }
  const phones = [...new Set(['', ...countries])].flatMap((country) => {
    const read = readPhone(text, country)
    return read.ok ? [read.value] : []
  })
  // A business-scoped id begins with a country; an @lid id ends with its name.
  const isProvidersId = /^[A-Z]{2}\.\S+$|@lid$/.test(text)
  const keys = [
    ...phones.map((phone) => numberKey(phone.slice(1))),
    ...(isProvidersId ? [text] : []),
  ]
  if (keys.length > 0) {
    ways.push(sql`select identity.contact_id
      from identifier join identity on identity.id = identifier.identity_id
      where identifier.company_id = ${companyId}
        and identifier.kind in ('number', 'user', 'parent', 'lid')
        and identifier.key = any(${keys}::text[]) and identifier.state <> 'left'`)
  }
  const end = withLatinDigits(text).replaceAll(/[\s()+.-]/g, '')
  if (/^\d+$/.test(end) && end.length >= SEARCH_LIMITS.leastLastDigits) {
    const backwards = [...end].toReversed().join('')
    ways.push(sql`select identity.contact_id
      from identifier join identity on identity.id = identifier.identity_id
      where identifier.company_id = ${companyId} and identifier.kind = 'number'
        and identifier.state <> 'left' and reverse(identifier.key) like ${`${backwards}%`}`)
  }
  return ways
}

function byName(companyId: string, text: string) {
  const words = searchForm(text).split(' ').filter(Boolean)
  if (words.join('').length < SEARCH_LIMITS.leastLetters) return []
  // «عبدالرحمن» is «عبد الرحمن»: a word may be found across two. A short one would be found in any two.
  const parts = words.map((word) => {
    const name =
      word.length < SEARCH_LIMITS.leastAcross
        ? sql`search_name`
        : sql`replace(search_name, ' ', '')`
    return sql`${name} like ${`%${word}%`}`
  })
  return [
    sql`select id from contact where company_id = ${companyId} and ${sql.join(parts, sql` and `)}`,
  ]
}
