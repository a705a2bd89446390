import { sql, type Transaction } from 'kysely'
import type { Inbound } from '../channels/channel-adapter.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { cleanText } from '../rules/text/json-text.ts'
import { phoneOf, whatsappIdOf } from './contact.ts'
import { aliasesOf, lockCustomer } from './lock-customer.ts'
import { lookUpCustomers } from './look-up-customers.sql.ts'
import { addAliases } from './add-aliases.ts'
import { editContacts } from './edit-contacts.ts'

/**
 * The provider says that a customer is now known by other ids. The contact keeps its old ids and
 * learns the new ones, so that the next message finds it; its conversations stay filed as they are. Of a contact that
 * others became part of, it is one of them who changes: the number of another stays the contact's.
 * A customer who was never met is nobody's contact: nothing happens.
 */
export async function changeIdentity(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  channel: Channel,
  fact: Extract<Inbound, { kind: 'identity' }>,
): Promise<void> {
  const before = aliasesOf(fact.before, channel.route)
  const after = aliasesOf(fact.after, channel.route)
  await lockCustomer(tx, channel.company.id, [...before, ...after])
  const asked = { companyId: channel.company.id, channelId: channel.id, aliases: before }
  const [known] = await lookUpCustomers(tx, [asked])
  if (!known?.contactId) return
  const { contactId, mergedFrom } = known
  await addAliases(tx, deps, channel.company.id, { contactId, mergedFrom }, after)
  await showNumber(tx, { contactId, mergedFrom }, fact.after.number)
  const [phone, whatsappId] = [phoneOf(fact.after.number), whatsappIdOf(fact.after)]
  const isContacts =
    phone === null || mergedFrom === null || (await changeMerged(tx, contactId, mergedFrom, phone))
  await editContacts(tx, deps, [
    {
      company: channel.company,
      contactId,
      ...(phone !== null && isContacts && { phone }),
      ...(whatsappId !== null && { whatsappId }),
    },
  ])
}

/** Whoever became part of the contact has another number. Answers whether the contact's own was theirs, or it had none. */
async function changeMerged(
  tx: Transaction<DB>,
  contactId: string,
  mergedFrom: string,
  phone: string,
): Promise<boolean> {
  const { rows } = await sql<{ isContacts: boolean }>`
    with changed as (
      update contact_merge set phone = ${phone} where from_id = ${mergedFrom}
    )
    select contact.phone is null or exists (
      select from contact_alias where contact_alias.company_id = contact.company_id
        and kind = 'number' and value = substr(contact.phone, 2)
        and contact_alias.contact_id = contact.id and merged_from = ${mergedFrom}
    ) as is_contacts
    from contact where id = ${contactId}`.execute(tx)
  return rows[0]?.isContacts ?? false
}

/** One that a person had written down before is the provider's word now, also of which of those who became one it is. */
async function showNumber(
  tx: Transaction<DB>,
  { contactId, mergedFrom }: { contactId: string; mergedFrom: string | null },
  number: string | undefined,
): Promise<void> {
  if (number === undefined) return
  await tx
    .updateTable('contactAlias')
    .set({ learntFrom: 'provider', mergedFrom })
    .where('contactId', '=', contactId)
    .where('learntFrom', '=', 'person')
    .where('kind', '=', 'number')
    .where('value', '=', cleanText(number))
    .execute()
}
