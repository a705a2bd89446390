import { sql } from 'kysely'

/**
 * Part of a `with`: notes tags that contacts were given, so that the list of a company's tags asks no
 * contact. In one order, so that two who note the same new ones only wait for each other.
 */
export function keepTags(given: readonly { companyId: string; tag: string }[]) {
  return sql`
    kept_tag as (
      insert into contact_tag (company_id, tag)
      select distinct company_id, tag
      from unnest(${given.map(({ companyId }) => companyId)}::uuid[],
        ${given.map(({ tag }) => tag)}::text[]) as given (company_id, tag)
      order by company_id, tag
      on conflict do nothing
    )`
}
