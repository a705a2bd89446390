import type { Transaction } from 'kysely'
import { loadCompany } from '../accounts/load-company.ts'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../context.ts'
import type { ContactView, EditContact } from '../contract/dashboard/contact.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { fact } from '../facts/fact.ts'
import { CONTACT_LIMITS } from '../limits/contacts.ts'
import { addAliases } from '../messaging/add-aliases.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import { ServiceError } from '../service-error.ts'
import { findContactsOfNumbers } from '../messaging/find-contacts-of-numbers.ts'
import { readFieldDesigns, readFields } from './read-fields.ts'
import {
  readCountries,
  readWrittenPhone,
  type WrittenPhone,
} from '../messaging/read-written-phone.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

/**
 * Changes what is named of a contact: one `contact.updated`, none when nothing changes.
 * @throws not_found; invalid; conflict when another contact has the number.
 * Spec: Contacts › Changes; Contacts › Phones.
 */
export async function editContact(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, contactId, phone: written, fields: given, ...input }: EditContact & OwnedContact,
): Promise<ContactView> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const company = await loadCompany(tx, actor, companyId)
    const phone =
      written === undefined
        ? undefined
        : written === null
          ? { phone: null, rawPhone: null }
          : readWrittenPhone(written, await readCountries(tx, companyId))
    if (phone) await changePhone(tx, now, { companyId, contactId }, phone)
    const fields = given && readFields(await readFieldDesigns(tx, companyId), given)
    const edited = await editContacts(tx, { ids, now }, [
      {
        company: { id: company.id, name: company.name },
        contactId,
        ...input,
        ...phone,
        ...(fields && { fields }),
      },
    ])
    const { contact, tagsLeftOut } = edited.get(contactId) ?? {
      contact: await requireContact(tx, { companyId, contactId }),
      tagsLeftOut: [],
    }
    if (tagsLeftOut.length > 0) {
      const errors = [{ field: 'addTags', ...fact('too_many_tags', { most: CONTACT_LIMITS.tags }) }]
      throw new ServiceError('invalid', fact('fields_wrong'), { errors })
    }
    return viewContact(contact, await readArchivedKeys(tx, companyId))
  })
}

/**
 * Its number finds a contact from now on, as the one did that it replaces. The one that a person had written before finds
 * it no more; one that a provider has shown, or a conversation is filed under, goes on to.
 */
async function changePhone(
  tx: Transaction<DB>,
  now: Date,
  { companyId, contactId }: OwnedContact,
  { phone }: WrittenPhone,
): Promise<void> {
  const before = await lockPhone(tx, { companyId, contactId }, phone)
  if (before.phone === phone) return
  if (phone !== null) {
    const holder = (await findContactsOfNumbers(tx, companyId, [phone])).get(phone)
    if (holder !== undefined && holder !== contactId) {
      throw new ServiceError('conflict', fact('contact_has_number'))
    }
  }
  let mergedFrom: string | null = null
  if (before.phone !== null) {
    const replaced = await tx
      .selectFrom('contactAlias')
      .select('mergedFrom')
      .where('contactId', '=', contactId)
      .where('kind', '=', 'number')
      .where('value', '=', before.phone.slice(1))
      .executeTakeFirst()
    mergedFrom = replaced?.mergedFrom ?? null
    await tx
      .deleteFrom('contactAlias')
      .where('companyId', '=', companyId)
      .where('kind', '=', 'number')
      .where('value', '=', before.phone.slice(1))
      .where('contactId', '=', contactId)
      .where('learntFrom', '=', 'person')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('conversation')
              .select('conversation.id')
              .whereRef('conversation.contactId', '=', 'contactAlias.contactId')
              .whereRef('conversation.filedUnder', '=', 'contactAlias.value'),
          ),
        ),
      )
      .execute()
  }
  if (phone !== null) {
    const number = { kind: 'number', value: phone.slice(1) } as const
    await addAliases(tx, { now }, companyId, { contactId, mergedFrom }, [number], 'person')
  }
}

/** The contact, its number and the new one locked: read again where whoever was waited for gave it another. */
async function lockPhone(
  tx: Transaction<DB>,
  owned: OwnedContact,
  phone: string | null,
): Promise<ContactRow> {
  for (let seen = await requireContact(tx, owned); ;) {
    const numbers = new Set([seen.phone, phone].filter((number) => number !== null))
    const aliases = [...numbers].map((number) => ({
      kind: 'number' as const,
      value: number.slice(1),
    }))
    await lockCustomer(tx, owned.companyId, aliases)
    const found = await requireContact(tx, owned)
    if (found.phone === seen.phone) return found
    seen = found
  }
}
