import { isDeepStrictEqual } from 'node:util'
import { sql, type Transaction } from 'kysely'
import type { CustomerRef } from '../channels/channel-adapter.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { cleanText } from '../rules/json-text.ts'
import { raiseEvent } from '../webhooks/raise-event.ts'
import { contactData, phoneOf, type ContactRow } from './contact.ts'
import { aliasesOf, type Alias } from './lock-customer.ts'

type Deps = { ids: Ids; now: Date }
type Company = { id: string; name: string | null }

/**
 * Finds the contact that any of the ids belongs to, or writes a new one and raises `contact.created`.
 * The customer is locked by the caller. A contact that is found learns what the provider newly tells:
 * further ids, and a name when it had none; a change that a payload shows raises `contact.updated`.
 */
export async function findOrCreateContact(
  tx: Transaction<DB>,
  deps: Deps,
  company: Company,
  customer: CustomerRef,
  aliases: readonly Alias[],
): Promise<ContactRow> {
  const found = await findContactByAlias(tx, company.id, aliases)
  const whatsappId = whatsappIdOf(customer)
  const phone = phoneOf(customer.number)
  const name = customer.profileName ? cleanText(customer.profileName) : null
  if (!found) {
    return createContact(tx, deps, company, {
      name,
      phone,
      whatsappId,
      aliases,
    })
  }
  await addAliases(tx, deps, company.id, found.id, aliases)
  return updateContact(tx, deps, company, found, {
    name: found.name ?? name,
    phone: found.phone ?? phone,
    whatsappId: whatsappId ?? found.whatsappId,
  })
}

/**
 * A contact learns further ids of its customer, such as the number that the provider knows them by
 * where another one was dialled. The customer is locked by the caller.
 */
export async function learnIds(
  tx: Transaction<DB>,
  deps: Deps,
  company: Company,
  contact: ContactRow,
  customer: CustomerRef,
): Promise<ContactRow> {
  await addAliases(tx, deps, company.id, contact.id, aliasesOf(customer, ''))
  return updateContact(tx, deps, company, contact, {
    whatsappId: contact.whatsappId ?? whatsappIdOf(customer),
  })
}

/** The id that `contact.*` events show as `whatsAppId`. Spec: Events › Payloads. */
export function whatsappIdOf({ businessScopedId, lid }: CustomerRef): string | null {
  const id = businessScopedId ?? lid
  return id ? cleanText(id) : null
}

/** The contact behind any of the ids; one that a provider scopes to the business comes first. */
export async function findContactByAlias(
  tx: Transaction<DB>,
  companyId: string,
  aliases: readonly Alias[],
): Promise<ContactRow | undefined> {
  const { rows } = await sql<{ contactId: string }>`
    select contact_alias.contact_id
    from unnest(${aliases.map((alias) => alias.kind)}::text[],
      ${aliases.map((alias) => alias.value)}::text[]) as wanted (kind, value)
      join contact_alias on contact_alias.company_id = ${companyId}
        and contact_alias.kind = wanted.kind and contact_alias.value = wanted.value
    order by wanted.kind = 'number', contact_alias.created_at
    limit 1
  `.execute(tx)
  const id = rows[0]?.contactId
  if (!id) return undefined
  return tx.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Writes a contact and raises `contact.created`. */
export async function createContact(
  tx: Transaction<DB>,
  deps: Deps,
  company: Company,
  input: {
    name: string | null
    phone: string | null
    whatsappId: string | null
    language?: string | null
    tags?: string[]
    aliases: readonly Alias[]
  },
): Promise<ContactRow> {
  const contact = await tx
    .insertInto('contact')
    .values({
      id: deps.ids.uuid(),
      companyId: company.id,
      name: input.name,
      phone: input.phone,
      whatsappId: input.whatsappId,
      language: input.language ?? null,
      tags: input.tags ?? [],
      createdAt: deps.now,
      updatedAt: deps.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addAliases(tx, deps, company.id, contact.id, input.aliases)
  await raiseEvent(tx, deps, {
    type: 'contact.created',
    company,
    data: contactData(contact),
    occurredAt: deps.now,
    contactId: contact.id,
  })
  return contact
}

/** Changes a contact and raises `contact.updated`; when nothing changes, does and raises nothing. */
export async function updateContact(
  tx: Transaction<DB>,
  deps: Deps,
  company: Company,
  contact: ContactRow,
  change: Partial<
    Pick<ContactRow, 'name' | 'phone' | 'whatsappId' | 'optedOutAt' | 'tags' | 'fields'>
  >,
): Promise<ContactRow> {
  const isSame = (Object.keys(change) as (keyof typeof change)[]).every((key) =>
    isDeepStrictEqual(valueOf(change, key), valueOf(contact, key)),
  )
  if (isSame) return contact
  const updated = await tx
    .updateTable('contact')
    .set({ ...change, updatedAt: deps.now })
    .where('id', '=', contact.id)
    .where('companyId', '=', company.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const isOptOut = contact.optedOutAt === null && updated.optedOutAt !== null
  await raiseEvent(tx, deps, {
    type: isOptOut ? 'contact.opted_out' : 'contact.updated',
    company,
    data: contactData(updated),
    occurredAt: deps.now,
    contactId: contact.id,
  })
  return updated
}

/** As it compares: custom fields are kept as JSON text, whose order says nothing. */
function valueOf(contact: Partial<ContactRow>, key: keyof ContactRow): unknown {
  return key === 'fields' ? JSON.parse(contact.fields!) : contact[key]
}

export async function addAliases(
  tx: Transaction<DB>,
  deps: Deps,
  companyId: string,
  contactId: string,
  aliases: readonly Alias[],
): Promise<void> {
  if (aliases.length === 0) return
  await tx
    .insertInto('contactAlias')
    .values(aliases.map((alias) => ({ ...alias, companyId, contactId, createdAt: deps.now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
