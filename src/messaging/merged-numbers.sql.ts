import { sql } from 'kysely'

export type OwnNumber = {
  /** E.164; null when none is known. */
  phone: string | null
  /** Null also where no id of the contact is this number. */
  learntFrom: 'provider' | 'person' | null
}

/**
 * In a statement that names `conversation` and its `contact`: the number of whom the conversation is with. That
 * is the contact's, but for one that others became part of: of each it is their own, for each conversation goes on
 * with whom it was with. Spec: Contacts › Merging; reading K5.
 */
export const ownNumber = () => sql<OwnNumber>`
  select case when is_contacts then contact.phone else merged.phone end as phone,
    case when is_contacts then shown.learnt_from else merged.learnt_from end as learnt_from
  from (select) one
    left join lateral (select learnt_from, merged_from from contact_alias
      where company_id = contact.company_id and kind = 'number'
        and value = substr(contact.phone, 2) and contact_id = contact.id limit 1) shown on true
    left join lateral (select contact_merge.phone, alias.learnt_from from contact_merge
        left join contact_alias alias on alias.company_id = contact_merge.company_id
          and alias.kind = 'number' and alias.value = substr(contact_merge.phone, 2)
          and alias.contact_id = contact_merge.into_id
      where contact_merge.from_id = conversation.merged_from limit 1) merged on true
    cross join lateral (
      select shown.merged_from is not distinct from conversation.merged_from as is_contacts) whose`
