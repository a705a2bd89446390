import { sql } from 'kysely'

/**
 * Returns an SQL expression for the array of all spellings of a tag among the company's contacts: the index of tags is
 * case-sensitive. PostgreSQL and JavaScript differ in the lower case of some letters (`İ`), so both are used.
 */
export function spellingsOf(companyId: string, tag: string) {
  return sql`array(select spelt.tag from contact_tag spelt
    where spelt.company_id = ${companyId} and lower(spelt.tag) in (lower(${tag}), ${tag.toLowerCase()}))`
}
