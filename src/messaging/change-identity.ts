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
 * learns the new ones, so that the next message finds it; its conversations stay filed as they are.
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
  await addAliases(tx, deps, channel.company.id, known.contactId, after)
  await showNumber(tx, known.contactId, fact.after.number)
  await changeMerged(tx, known.contactId, fact)
  const [phone, whatsappId] = [phoneOf(fact.after.number), whatsappIdOf(fact.after)]
  await editContacts(tx, deps, [
    {
      company: channel.company,
      contactId: known.contactId,
      ...(phone !== null && { phone }),
      ...(whatsappId !== null && { whatsappId }),
    },
  ])
}

/** A conversation that came by a merge goes on with the new number of whom it was with. */
async function changeMerged(
  tx: Transaction<DB>,
  contactId: string,
  { before, after }: Extract<Inbound, { kind: 'identity' }>,
): Promise<void> {
  const [was, is] = [phoneOf(before.number), phoneOf(after.number)]
  if (was === null || is === null) return
  await sql`
    update contact_merge set snapshot = jsonb_set(snapshot::jsonb, '{phone}', to_jsonb(${is}::text))::text
    where into_id = ${contactId} and snapshot::jsonb ->> 'phone' = ${was}`.execute(tx)
}

/** One that a person had written down before is the provider's word now. */
async function showNumber(
  tx: Transaction<DB>,
  contactId: string,
  number: string | undefined,
): Promise<void> {
  if (number === undefined) return
  await tx
    .updateTable('contactAlias')
    .set({ learntFrom: 'provider' })
    .where('contactId', '=', contactId)
    .where('kind', '=', 'number')
    .where('value', '=', cleanText(number))
    .execute()
}
