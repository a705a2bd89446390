import { sql, type Kysely } from 'kysely'
import type { ContactHint } from '../../contract/dashboard/conversation.ts'
import type { DB } from '../../infra/database/tables.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { emailsIn, internationalIn } from '../../rules/calls/personal-data.ts'
import type { OwnedConversation } from './lock-conversation.ts'

/**
 * Returns the contacts with an e-mail address or a number that a visitor of the widget gave: before the chat, in a
 * message, or with a booking. It is only a hint for staff, because a visitor is no contact and may type another
 * person's address.
 *
 * Spec: Contacts › Who a customer is.
 */
export async function contactsLikeVisitor(
  db: Kysely<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<ContactHint[]> {
  const texts = await textsOfVisitor(db, { companyId, conversationId })
  const { rows } = await sql<ContactHint>`
    with given as (
      select visitor_email as email, null::text as phone from conversation
      where id = ${conversationId} and company_id = ${companyId}
      union select email, phone from appointment
      where conversation_id = ${conversationId} and company_id = ${companyId} and contact_id is null
      union select unnest(${texts.flatMap(emailsIn)}::text[]), null
      union select null, unnest(${texts.flatMap(internationalIn)}::text[])
    )
    select distinct on (by, id) id, name, by, value from (
      select contact.id, contact.name, 'phone' as by, given.phone as value
      from given join identifier on identifier.company_id = ${companyId} and identifier.kind = 'number'
          and identifier.key = number_key(substr(given.phone, 2)) and identifier.state <> 'left'
        join identity on identity.id = identifier.identity_id join contact on contact.id = identity.contact_id
      union select contact.id, contact.name, 'email', given.email
      from given join contact on contact.company_id = ${companyId} and lower(contact.email) = lower(given.email)
    ) found
    order by by desc, id, value limit ${INBOX_LIMITS.visitorHints}`.execute(db)
  return rows
}

/** Returns the beginnings of the visitor's last messages, the newest first. */
async function textsOfVisitor(
  db: Kysely<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select left(text, ${INBOX_LIMITS.visitorTextChars}) as text from message
    where conversation_id = ${conversationId} and company_id = ${companyId}
      and sender = 'customer' and text is not null
    order by occurred_at desc limit ${INBOX_LIMITS.visitorTexts}`.execute(db)
  return rows.map(({ text }) => text)
}
