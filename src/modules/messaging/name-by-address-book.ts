import type { Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { editContacts } from './edit-contacts.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { lockCustomers } from './lock-customer.ts'
import { lookUpCustomers } from './look-up-customers.sql.ts'

/**
 * Gives known customers without a name the one in the owner's address book. An entry never creates a contact,
 * and its removal never removes a name.
 */
export async function nameByAddressBook(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  channel: Channel,
  { entries }: Extract<ProviderEvent, { kind: 'address_book' }>,
): Promise<void> {
  const { company } = channel
  const named = entries.flatMap(({ customer, name, isRemoved }) =>
    name === null || isRemoved
      ? []
      : [{ name: cleanText(name), identifiers: identifiersOf(customer, channel) }],
  )
  if (named.length === 0) return
  await lockCustomers(
    tx,
    named.map(({ identifiers }) => ({ companyId: company.id, identifiers })),
  )
  const known = await lookUpCustomers(
    tx,
    named.map(({ identifiers }) => ({ companyId: company.id, channelId: channel.id, identifiers })),
  )
  await editContacts(
    tx,
    deps,
    known.flatMap(({ contactId, contactName }, index) =>
      contactId === null || contactName !== null
        ? []
        : [{ company, contactId, name: named[index]!.name }],
    ),
  )
}
