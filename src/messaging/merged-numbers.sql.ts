import { sql } from 'kysely'

/**
 * In a statement that names `conversation` and its `contact`: whether it came to the contact by a merge and the
 * contact's number is that of another one. Each goes on with whom it was with. A number that the provider
 * has told of since is in no other conversation, and is the customer's. Spec: Contacts › Merging; reading K5.
 */
export const isOfOtherNumber = () => sql<boolean>`(exists (
    select from contact_merge where contact_merge.into_id = conversation.contact_id
      and (snapshot::jsonb ->> 'phone' = '+' || conversation.filed_under
        or snapshot::jsonb ->> 'whatsappId' = conversation.filed_under)
  ) and exists (
    select from conversation other where other.contact_id = conversation.contact_id
      and other.id <> conversation.id and other.filed_under = substr(contact.phone, 2)
  ))`
