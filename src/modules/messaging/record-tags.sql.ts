import { sql } from 'kysely'

/**
 * Returns a CTE that adds the tags of contacts to the company's list of tags, which is read without scanning contacts.
 * Inserts in one order, so that concurrent transactions with the same new tags do not deadlock.
 */
export function recordTags(given: readonly { companyId: string; tag: string }[]) {
  return sql`
    recorded_tag as (
      insert into contact_tag (company_id, tag)
      select distinct company_id, tag
      from unnest(${given.map(({ companyId }) => companyId)}::uuid[],
        ${given.map(({ tag }) => tag)}::text[]) as given (company_id, tag)
      order by company_id, tag
      on conflict do nothing
    )`
}
