import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** The number and the WhatsApp id that a contact's row and events have. */
export type Shown = {
  contactId: string
  /** E.164. */
  phone: string | null
  whatsappId: string | null
}

/**
 * Returns the number and WhatsApp id that contacts show, as their identifiers determine them. The number is the contact's
 * present one while it is current; else that of the identity which had it, else another identity's: one shown by a
 * provider before a typed one, an own before a merged one. The id is the newest one.
 *
 * Spec: Contacts › Phones; Events › Payloads.
 */
export async function readShown(
  tx: Transaction<DB>,
  contactIds: readonly string[],
): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    select contact.id as contact_id, number.phone, account.value as whatsapp_id
    from contact
      left join lateral (
        select case when is_its then contact.phone else '+' || value end as phone
        from identity join identifier on identifier.identity_id = identity.id
          cross join lateral (select coalesce(key = number_key(substr(contact.phone, 2)), false) as is_its) its
        where identity.contact_id = contact.id and kind = 'number' and state = 'current'
          and value ~ '^[1-9][0-9]{4,14}$'
        order by is_its desc, exists (select from identifier before
            where before.identity_id = identity.id and before.kind = 'number'
              and before.key = number_key(substr(contact.phone, 2))) desc,
          proof = 'shown' desc, came_from is not null, coalesce(shown_at, first_at) desc
        limit 1
      ) number on true
      left join lateral (
        select value from identity join identifier on identifier.identity_id = identity.id
        where identity.contact_id = contact.id and kind in ('user', 'parent', 'lid') and state = 'current'
        order by kind = 'user' desc, kind = 'parent' desc, coalesce(shown_at, first_at) desc
        limit 1
      ) account on true
    where contact.id = any(${contactIds}::uuid[])
    order by contact.created_at, contact.id`.execute(tx)
  return rows
}
