import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { loadCompany } from '../accounts/load-company.ts'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { ContactView, CreateContact } from '../../contract/dashboard/contact.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { createContacts } from '../messaging/create-contacts.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import { ServiceError } from '../../core/service-error.ts'
import { findContactsOfNumbers } from '../messaging/find-contacts-of-numbers.ts'
import { readFieldDesigns, readCustomFields } from './read-custom-fields.ts'
import { readWrittenPhone } from '../messaging/read-written-phone.ts'
import { showContact } from './view-contact.ts'

/**
 * Creates a contact from a member's input. The number of another contact is refused.
 * @throws invalid; conflict
 * Spec: Contacts › Making; Contacts › Phones.
 */
export async function createContact(
  context: Context,
  actor: Actor,
  { companyId, ...input }: CreateContact & { companyId: string },
): Promise<ContactView> {
  const { db, ids, clock } = context
  const contactId = await transaction(db, async (tx) => {
    const company = await loadCompany(tx, actor, companyId)
    const given = readCustomFields(await readFieldDesigns(tx, companyId), input.fields ?? {})
    const { phone, rawPhone } = input.phone
      ? readWrittenPhone(input.phone, input.country ?? null)
      : { phone: null, rawPhone: null }
    if (phone !== null) {
      await lockCustomer(tx, companyId, [numberIdentifier(phone.slice(1))])
      const known = await findContactsOfNumbers(tx, companyId, [phone])
      const holder = known.get(phone)
      if (holder)
        throw new ServiceError('conflict', fact('contact_has_number', { contactId: holder }))
    }
    const [id] = await createContacts(tx, { ids, now: clock.now() }, [
      {
        company: { id: company.id, name: company.name },
        name: input.name ?? null,
        phone,
        rawPhone,
        email: input.email ?? null,
        language: input.language ?? null,
        tags: uniqueTags(input.tags ?? []),
        fields: Object.fromEntries(
          Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null),
        ),
        source: 'member',
      },
    ])
    return id!
  })
  return showContact(context, { companyId, contactId })
}

/** Returns the tags without those that differ from an earlier one only in case. */
export function uniqueTags(tags: readonly string[]): string[] {
  const seen = new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag]))
  return tags.filter((tag) => seen.get(tag.toLowerCase()) === tag && seen.delete(tag.toLowerCase()))
}
