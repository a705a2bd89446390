import { sql } from 'kysely'

/**
 * Every spelling of a tag that contacts of the company have, as an array: the index of tags knows cases apart.
 * PostgreSQL and this program do not make every letter small alike (`İ`), so both have their say.
 */
export function spellingsOf(companyId: string, tag: string) {
  return sql`array(select spelt.tag from contact_tag spelt
    where spelt.company_id = ${companyId} and lower(spelt.tag) in (lower(${tag}), ${tag.toLowerCase()}))`
}
