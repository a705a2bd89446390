/** Contacts of a company: who they are, and whether they have opted out. */
import { sql } from 'kysely'
import { numberIdentifier } from '../../../src/rules/identity/identifier.ts'
import type { Company, FieldsOf, Recorded, RecordOf } from './records.ts'
import { add, insert, newIdOf, nowOf, read, readOne, storeOf, update } from './records.ts'

export type ContactRecord = RecordOf<'contact'>

export const contactOf = (world: Recorded, id: string) => readOne(world, 'contact', { id })

/** Returns the contacts of a company in the order in which they were made. */
export const contactsOf = (
  world: Recorded,
  { companyId }: Company,
  { phone }: { phone?: string } = {},
) => read(world, 'contact', { companyId, phone }, 'createdAt', 'id')

/** Returns the company's contact with a phone number. */
export const contactWith = (world: Recorded, { companyId }: Company, phone: string) =>
  readOne(world, 'contact', { companyId, phone })

/** Adds a contact without an event. Returns its id. */
export async function addContact(
  world: Recorded,
  of: Company,
  more: FieldsOf<'contact'> = {},
): Promise<string> {
  const [id] = await addContacts(world, of, [more])
  return id!
}

/** Adds contacts without an event, in few statements. Returns their ids. */
export async function addContacts(
  world: Recorded,
  { companyId }: Company,
  contacts: readonly FieldsOf<'contact'>[],
): Promise<string[]> {
  const [createdAt, updatedAt] = [nowOf(world), nowOf(world)]
  const rows = contacts.map((contact) => {
    return { createdAt, updatedAt, ...contact, id: contact.id ?? newIdOf(world), companyId }
  })
  await insert(world, 'contact', ...rows)
  await addNumbers(world, rows)
  return rows.map(({ id }) => id)
}

/** Stores the numbers by which contacts are found, as a member writes them down. */
async function addNumbers(world: Recorded, contacts: readonly FieldsOf<'contact'>[]) {
  const at = nowOf(world)
  const numbered = contacts.flatMap(({ id, companyId, phone }) =>
    phone ? [{ id: newIdOf(world), contactId: id!, companyId: companyId!, phone }] : [],
  )
  if (numbered.length === 0) return
  await insert(
    world,
    'identity',
    ...numbered.map(({ id, contactId, companyId }) => {
      return { id, contactId, companyId, createdAt: at }
    }),
  )
  await insert(
    world,
    'identifier',
    ...numbered.map(({ id: identityId, companyId, phone }) => {
      const { kind, key, value } = numberIdentifier(phone.slice(1))
      return { companyId, identityId, kind, key, value, proof: 'member', firstAt: at }
    }),
  )
}

/** Changes the stored columns of a contact, without an event. */
export const describeContact = (world: Recorded, id: string, known: FieldsOf<'contact'>) =>
  update(world, 'contact', { id }, known)

/** Opts a contact out, without an event. With no moment they are in again. */
export const optOut = (world: Recorded, id: string, at: Date | null = nowOf(world)) =>
  describeContact(world, id, { optedOutAt: at })

/** Returns the changes of a contact's opt-out, oldest first. */
export const optOutChangesOf = (world: Recorded, contactId: string) =>
  read(world, 'optOutChange', { contactId }, 'id')

/** Adds a custom field to a company's contacts. */
export async function addContactField(
  world: Recorded,
  { companyId }: Company,
  field: FieldsOf<'contactField'> & { key: string; kind: string; label: string },
): Promise<void> {
  const now = nowOf(world)
  await add(world, 'contactField', { createdAt: now, updatedAt: now, ...field, companyId })
}

/** Makes a tag one of the company's. */
export async function addTag(world: Recorded, { companyId }: Company, tag: string): Promise<void> {
  await sql`insert into contact_tag (company_id, tag) values (${companyId}, ${tag})
    on conflict do nothing`.execute(storeOf(world))
}

/** Adds a column to the stored row of a merged contact, as a version that had this column stored it. */
export async function addStoredColumn(
  world: Recorded,
  { fromId }: { fromId: string },
  column: Record<string, unknown>,
): Promise<void> {
  const { snapshot } = await readOne(world, 'contactMerge', { fromId })
  const stored = { ...(JSON.parse(snapshot) as object), ...column }
  await update(world, 'contactMerge', { fromId }, { snapshot: JSON.stringify(stored) })
}
