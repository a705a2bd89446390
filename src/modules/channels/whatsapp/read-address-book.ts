import type { ProviderEvent } from '../inbound.ts'
import { readFields, readList, readText } from '../provider/read-values.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readCustomer } from './read-customer.ts'

/** Reads the field `smb_app_state_sync`: the address book of the owner's phone. Spec: Channels › Coexistence. */
export function readAddressBook({ route, value }: Change): ProviderEvent[] {
  const entries = readList(value.state_sync).flatMap((item) => {
    const { type, contact: contactFields, action } = readFields(item)
    const contact = readFields(contactFields)
    const customer = readCustomer(
      { number: contact.phone_number, userId: contact.user_id, parentUserId: undefined },
      [],
    )
    if (type !== 'contact' || customer === null) return []
    const name = readText(contact.full_name) ?? readText(contact.first_name) ?? null
    return [{ customer, name, isRemoved: action === 'remove' }]
  })
  return entries.length === 0
    ? [ignored('an address book without people')]
    : [{ kind: 'address_book', route, entries }]
}
