import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import type { ContactRow } from '../../messaging/contact.ts'
import { findContactsOfNumbers } from '../../messaging/find-contacts-of-numbers.ts'
import { planEdit } from '../../messaging/plan-edit.ts'
import type { ImportRow } from '../../../rules/contacts/import-row.ts'
import type { Candidate } from '../../../rules/contacts/match-import-row.ts'
import { searchForm } from '../../../rules/text/search-form.ts'
import type { ImportMode } from '../../../core/vocabulary/contacts.ts'
import { planRowChange } from './plan-row-change.ts'
import { rowsThatGiveEmail, type PlannedRow } from './import-row-store.sql.ts'

/** A contact, stored or planned, with the changes of the rows decided so far. */
export type KnownContact = Candidate & {
  /** The phone numbers that find it, without `+`. */
  numbers: string[]
  contact: ContactRow
  /** The row that creates it; null for an existing contact. */
  createdByRow: number | null
}

/** The contacts that rows may match, by number and by e-mail address. */
export type KnownContacts = {
  byPhone: Map<string, KnownContact>
  /** Contacts by e-mail address in lower case. */
  byEmail: Map<string, KnownContact[]>
}

type Options = {
  companyId: string
  now: Date
  /** States whether to lock the contacts, before they are changed. */
  isLocking: boolean
  /** The import that has not started, with its earlier rows, whose results count. */
  planned?: { importId: string; before: number; mode: ImportMode }
}

/**
 * Loads the contacts that the numbers and e-mail addresses of rows identify.
 *
 * Isolation: the numbers are locked by the caller; the contacts are locked in the order of their ids.
 */
export async function loadKnownContacts(
  tx: Transaction<DB>,
  rows: readonly ImportRow[],
  { companyId, now, isLocking, planned }: Options,
): Promise<KnownContacts> {
  const phones = rows.flatMap(({ phone }) => phone ?? [])
  const emails = [...new Set(rows.flatMap(({ email }) => email?.toLowerCase() ?? []))]
  const idByPhone = await findContactsOfNumbers(tx, companyId, phones)
  const owners = await ownersOfEmails(tx, companyId, emails)
  const willHave = planned
    ? await rowsThatGiveEmail(tx, planned.importId, { emails, before: planned.before })
    : []
  const ids = [
    ...idByPhone.values(),
    ...owners.map(({ id }) => id),
    ...willHave.flatMap(({ contactId }) => contactId ?? []),
  ]
  const stored = await loadContacts(tx, companyId, { ids: [...new Set(ids)], isLocking })
  const known: KnownContacts = { byPhone: new Map(), byEmail: new Map() }
  for (const [phone, id] of idByPhone) {
    const contact = stored.get(id)
    if (contact) known.byPhone.set(phone, contact)
  }
  for (const { email, id } of owners) addEmailOwner(known, email, stored.get(id))
  for (const row of willHave) {
    const owner =
      row.contactId === null ? toNewContact(row, companyId, now) : stored.get(row.contactId)
    if (owner && row.contactId !== null) {
      const change = planRowChange(row.row, owner.contact, planned!.mode)
      owner.contact = planEdit(owner.contact, change, now).contact
    }
    addEmailOwner(known, row.email, owner)
  }
  return known
}

/** Adds a contact to the owners of an e-mail address; does nothing without an owner. */
export function addEmailOwner(
  { byEmail }: KnownContacts,
  email: string,
  owner: KnownContact | undefined,
): void {
  if (!owner) return
  const owners = byEmail.get(email) ?? []
  if (!owners.includes(owner)) byEmail.set(email, [...owners, owner])
}

/** Returns the contact that a row will create, with an empty id. */
export function newContact(
  row: ImportRow,
  { number, companyId, now }: { number: number; companyId: string; now: Date },
): KnownContact {
  const { name, phone, rawPhone, email, language, fields } = row
  const outAt = row.optedOut === 'yes' ? now : null
  return {
    numbers: phone === null ? [] : [phone.slice(1)],
    rawPhone,
    createdByRow: number,
    contact: {
      id: '',
      companyId,
      name,
      searchName: name === null ? null : searchForm(name),
      phone,
      rawPhone,
      email,
      emailFrom: email && 'import',
      language,
      tags: row.tags,
      fields,
      whatsappId: null,
      source: 'import',
      optedOutAt: outAt,
      optOutWordAt: outAt,
      optOutWordHow: outAt && 'import',
      createdAt: now,
      updatedAt: now,
    },
  }
}

const toNewContact = ({ row, number }: PlannedRow, companyId: string, now: Date) =>
  newContact(row, { number, companyId, now })

/** Loads at most two contacts per e-mail address. */
async function ownersOfEmails(
  tx: Transaction<DB>,
  companyId: string,
  emails: readonly string[],
): Promise<{ email: string; id: string }[]> {
  const { rows } = await sql<{ email: string; id: string }>`
    select input.email, owner.id from unnest(${emails}::text[]) as input (email)
      cross join lateral (
        select id from contact
        where company_id = ${companyId} and lower(contact.email) = input.email limit 2
      ) owner`.execute(tx)
  return rows
}

async function loadContacts(
  tx: Transaction<DB>,
  companyId: string,
  { ids, isLocking }: { ids: string[]; isLocking: boolean },
): Promise<Map<string, KnownContact>> {
  const contacts = await tx
    .selectFrom('contact')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('id')
    .$if(isLocking, (select) => select.forNoKeyUpdate())
    .execute()
  // `offset 0` prevents joins of whole tables, which PostgreSQL plans without statistics of new contacts.
  const { rows: found } = await sql<{ contactId: string; value: string }>`
    select input.contact_id, number.value from unnest(${ids}::uuid[]) as input (contact_id)
      cross join lateral (select id from identity
        where identity.contact_id = input.contact_id and company_id = ${companyId} offset 0) owner
      cross join lateral (select value from identifier
        where identity_id = owner.id and kind = 'number' and state <> 'left' offset 0) number`.execute(
    tx,
  )
  const numbersOf = Map.groupBy(found, ({ contactId }) => contactId)
  return new Map(
    contacts.map((contact) => {
      const { id, phone, rawPhone } = contact
      const written = phone === null ? [] : [phone.slice(1)]
      const numbers = [...written, ...(numbersOf.get(id) ?? []).map(({ value }) => value)]
      return [id, { contact, numbers, rawPhone, createdByRow: null }]
    }),
  )
}
