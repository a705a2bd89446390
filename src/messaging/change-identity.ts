import type { Transaction } from 'kysely'
import type { Inbound } from '../channels/channel-adapter.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { phoneOf } from './contact.ts'
import { addAliases, findContactByAlias, updateContact, whatsappIdOf } from './find-contact.ts'
import { aliasesOf, lockCustomer } from './lock-customer.ts'

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
  const contact = await findContactByAlias(tx, channel.company.id, before)
  if (!contact) return
  await addAliases(tx, deps, channel.company.id, contact.id, after)
  await updateContact(tx, deps, channel.company, contact, {
    phone: phoneOf(fact.after.number) ?? contact.phone,
    whatsappId: whatsappIdOf(fact.after) ?? contact.whatsappId,
  })
}
