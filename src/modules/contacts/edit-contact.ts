import type { Transaction } from 'kysely'
import { loadCompany } from '../accounts/load-company.ts'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { ContactView, EditContact } from '../../contract/dashboard/contact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import { changeNumbers } from '../identity/change-number.sql.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import type { Ids } from '../../core/ids.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { findContactsOfNumbers } from '../messaging/find-contacts-of-numbers.ts'
import { readFieldDesigns, readCustomFields } from './read-custom-fields.ts'
import { readWrittenPhone, type WrittenPhone } from '../messaging/read-written-phone.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

type Deps = { ids: Ids; now: Date }

/**
 * Changes the given values of a contact, and raises `contact.updated` unless nothing changes.
 * @throws not_found; invalid; conflict when another contact has the number.
 * Spec: Contacts › Changes; Contacts › Phones.
 */
export async function editContact(
  { db, ids, clock }: Context,
  actor: Actor,
  {
    companyId,
    contactId,
    phone: written,
    country,
    fields: given,
    ...input
  }: EditContact & OwnedContact,
): Promise<ContactView> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const company = await loadCompany(tx, actor, companyId)
    const phone =
      written === undefined
        ? undefined
        : written === null
          ? { phone: null, rawPhone: null }
          : readWrittenPhone(written, country ?? null)
    if (phone) await changePhone(tx, { ids, now }, { companyId, contactId }, phone)
    const fields = given && readCustomFields(await readFieldDesigns(tx, companyId), given)
    const edited = await editContacts(tx, { ids, now }, [
      {
        company: { id: company.id, name: company.name },
        contactId,
        ...input,
        emailFrom: 'member',
        ...phone,
        ...(fields && { fields }),
      },
    ])
    const { contact, tagsLeftOut } = edited.get(contactId) ?? {
      contact: await requireContact(tx, { companyId, contactId }),
      tagsLeftOut: [],
    }
    if (tagsLeftOut.length > 0) {
      throw wrongField('addTags', fact('too_many_tags', { max: CONTACT_LIMITS.tags }))
    }
    return viewContact(contact, await readArchivedKeys(tx, companyId))
  })
}

/**
 * Replaces the number by which the contact is found. An earlier number that a person typed no longer finds it; one that
 * a provider verified, or that a conversation uses, still does.
 */
async function changePhone(
  tx: Transaction<DB>,
  { ids, now }: Deps,
  { companyId, contactId }: OwnedContact,
  { phone }: WrittenPhone,
): Promise<void> {
  const before = await lockPhone(tx, { companyId, contactId }, phone)
  if (before.phone === phone) return
  if (phone !== null) {
    const holder = (await findContactsOfNumbers(tx, companyId, [phone])).get(phone)
    if (holder !== undefined && holder !== contactId) {
      throw new ServiceError('conflict', fact('contact_has_number', { contactId: holder }))
    }
  }
  const change = { contactId, before: before.phone, phone }
  await changeNumbers(tx, { ids, now }, companyId, [change], 'member')
}

/** Locks the contact's number and the new one. Reads the number again if a concurrent transaction changed it. */
async function lockPhone(
  tx: Transaction<DB>,
  owned: OwnedContact,
  phone: string | null,
): Promise<ContactRow> {
  for (let seen = await requireContact(tx, owned); ;) {
    const numbers = new Set([seen.phone, phone].filter((number) => number !== null))
    const identifiers = [...numbers].map((number) => numberIdentifier(number.slice(1)))
    await lockCustomer(tx, owned.companyId, identifiers)
    const found = await requireContact(tx, owned)
    if (found.phone === seen.phone) return found
    seen = found
  }
}
