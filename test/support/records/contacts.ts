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

/** Returns the other numbers and names under which a contact is known. */
export const aliasesOf = (world: Recorded, contactId: string) =>
  storeOf(world).selectFrom('contactAlias').selectAll().where('contactId', '=', contactId).execute()

/** Returns who the company has the number or name of a contact from, or undefined when nobody is known by it. */
export async function aliasLearntFrom(
  world: Recorded,
  { companyId }: Company,
  value: string,
): Promise<string | undefined> {
  const alias = await storeOf(world)
    .selectFrom('contactAlias')
    .select('learntFrom')
    .where('companyId', '=', companyId)
    .where('value', '=', value)
    .executeTakeFirst()
  return alias?.learntFrom
}

/** Sets who the company has a contact's numbers and names from: a person, or the provider. */
export async function learnAliasesFrom(
  world: Recorded,
  contactId: string,
  learntFrom: 'person' | 'provider',
): Promise<void> {
  await storeOf(world)
    .updateTable('contactAlias')
    .set({ learntFrom })
    .where('contactId', '=', contactId)
    .execute()
}

/** Makes a number, or another id of a provider, one that finds this contact and no other. */
export async function addAlias(
  world: Recorded,
  { companyId }: Company,
  alias: { contactId: string; kind: string; value: string },
): Promise<void> {
  await storeOf(world)
    .insertInto('contactAlias')
    .values({ ...alias, companyId, createdAt: nowOf(world) })
    .onConflict((same) =>
      same.columns(['companyId', 'kind', 'value']).doUpdateSet({ contactId: alias.contactId }),
    )
    .execute()
}

/** Takes from a contact all numbers and ids that find it. */
export async function forgetAliases(world: Recorded, contactId: string): Promise<void> {
  await storeOf(world).deleteFrom('contactAlias').where('contactId', '=', contactId).execute()
}

/** Writes another number of a contact down, past the checks of the API. */
export async function changeNumber(
  world: Recorded,
  contactId: string,
  phone: string,
): Promise<void> {
  await describeContact(world, contactId, { phone })
  await storeOf(world)
    .updateTable('contactAlias')
    .set({ value: phone.slice(1) })
    .where('contactId', '=', contactId)
    .execute()
}

/** Merges a contact into another one, as far as links to the first must follow: it is deleted. */
export async function mergeAway(
  world: Recorded,
  { companyId }: Company,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  await storeOf(world)
    .insertInto('contactMerge')
    .values({ fromId, companyId, intoId, snapshot: '{}', mergedAt: nowOf(world) })
    .execute()
  await storeOf(world).deleteFrom('contact').where('id', '=', fromId).execute()
}

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
