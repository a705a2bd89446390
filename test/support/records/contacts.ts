/** Contacts of a company: who they are, and whether they have opted out. */
import { sql } from 'kysely'
import {
  given,
  newIdOf,
  nowOf,
  storeOf,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'

export type ContactRecord = RecordOf<'contact'>

type Company = { companyId: string }

export const contactOf = (world: Recorded, id: string): Promise<ContactRecord> =>
  storeOf(world).selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the contacts of a company in the order in which they were made. */
export const contactsOf = (
  world: Recorded,
  { companyId }: Company,
  { phone }: { phone?: string } = {},
): Promise<ContactRecord[]> =>
  storeOf(world)
    .selectFrom('contact')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, phone })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Returns the company's contact with a phone number. */
export const contactWith = (
  world: Recorded,
  { companyId }: Company,
  phone: string,
): Promise<ContactRecord> =>
  storeOf(world)
    .selectFrom('contact')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('phone', '=', phone)
    .executeTakeFirstOrThrow()

/** Adds a contact without an event. Returns its id. */
export async function addContact(
  world: Recorded,
  { companyId }: Company,
  more: FieldsOf<'contact'> = {},
): Promise<string> {
  const id = more.id ?? newIdOf(world)
  const now = nowOf(world)
  await storeOf(world)
    .insertInto('contact')
    .values({ createdAt: now, updatedAt: now, ...more, id, companyId })
    .execute()
  return id
}

/** Adds contacts without an event, in one statement. Returns their ids. */
export async function addContacts(
  world: Recorded,
  { companyId }: Company,
  contacts: readonly FieldsOf<'contact'>[],
): Promise<string[]> {
  const now = nowOf(world)
  const rows = contacts.map((contact) => ({
    createdAt: now,
    updatedAt: now,
    ...contact,
    id: contact.id ?? newIdOf(world),
    companyId,
  }))
  await storeOf(world).insertInto('contact').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** Sets what is known of a contact, without an event. */
export async function describeContact(
  world: Recorded,
  id: string,
  known: Partial<
    Pick<
      ContactRecord,
      'name' | 'email' | 'phone' | 'language' | 'tags' | 'fields' | 'source' | 'searchName'
    >
  >,
): Promise<void> {
  await storeOf(world).updateTable('contact').set(known).where('id', '=', id).execute()
}

/** Opts a contact out, without an event. */
export async function optOut(world: Recorded, id: string, at = nowOf(world)): Promise<void> {
  await storeOf(world).updateTable('contact').set({ optedOutAt: at }).where('id', '=', id).execute()
}

/** Returns the changes of a contact's opt-out, oldest first. */
export const optOutChangesOf = (world: Recorded, contactId: string) =>
  storeOf(world)
    .selectFrom('optOutChange')
    .selectAll()
    .where('contactId', '=', contactId)
    .orderBy('id')
    .execute()

/** Adds a custom field to a company's contacts. */
export async function addContactField(
  world: Recorded,
  { companyId }: Company,
  field: FieldsOf<'contactField'> & { key: string; kind: string; label: string },
): Promise<void> {
  const now = nowOf(world)
  await storeOf(world)
    .insertInto('contactField')
    .values({ id: newIdOf(world), createdAt: now, updatedAt: now, ...field, companyId })
    .execute()
}

/** Makes a tag one of the company's. */
export async function addTag(world: Recorded, { companyId }: Company, tag: string): Promise<void> {
  await sql`insert into contact_tag (company_id, tag) values (${companyId}, ${tag})
    on conflict do nothing`.execute(storeOf(world))
}
