/** The numbers and ids that find a contact, and contacts that were merged. */
import { numberIdentifier, type Proof } from '../../../src/rules/identity/identifier.ts'
import type { Company, FieldsOf, Recorded, RecordOf } from './records.ts'
import { insert, newIdOf, nowOf, read, readFirst, remove, update } from './records.ts'
import { describeContact } from './contacts.ts'

/** Returns the accounts and numbers of a contact, oldest first. */
export const identitiesOf = (world: Recorded, contactId: string) =>
  read(world, 'identity', { contactId }, 'createdAt', 'id')

/** Returns the numbers and ids by which a contact is or was known, oldest first. */
export async function identifiersOf(
  world: Recorded,
  contactId: string,
): Promise<RecordOf<'identifier'>[]> {
  const identities = await identitiesOf(world, contactId)
  const each = identities.map(({ id }) =>
    read(world, 'identifier', { identityId: id }, 'firstAt', 'kind', 'key'),
  )
  return (await Promise.all(each)).flat()
}

/** Returns who said that a number or id is a contact's, or undefined when no contact is found by it. */
export const proofOfIdentifier = async (world: Recorded, { companyId }: Company, value: string) =>
  (await readFirst(world, 'identifier', { companyId, value }))?.proof

/** Sets who said that a contact's numbers and ids are theirs. */
export async function proveIdentifiers(world: Recorded, contactId: string, proof: Proof) {
  for (const { id } of await identitiesOf(world, contactId)) {
    await update(world, 'identifier', { identityId: id }, { proof })
  }
}

/** Returns an identity of a contact, and creates one when it has none. */
export async function identityOf(
  world: Recorded,
  { companyId }: Company,
  contactId: string,
): Promise<string> {
  const [known] = await identitiesOf(world, contactId)
  if (known) return known.id
  const id = newIdOf(world)
  await insert(world, 'identity', { id, companyId, contactId, createdAt: nowOf(world) })
  return id
}

/** Adds this number of accounts to a contact, of which no identifier is known. */
export async function addIdentities(
  world: Recorded,
  company: Company,
  contactId: string,
  count: number,
): Promise<void> {
  const createdAt = nowOf(world)
  const rows = Array.from({ length: count }, () => {
    return { id: newIdOf(world), companyId: company.companyId, contactId, createdAt }
  })
  await insert(world, 'identity', ...rows)
}

/** Lets a number, or another id of a provider, find this contact and no other, as shown since a moment. */
export async function addIdentifier(
  world: Recorded,
  { companyId }: Company,
  {
    contactId,
    kind,
    value,
  }: { contactId: string } & Pick<FieldsOf<'identifier'>, 'kind'> & {
      value: string
    },
  since: Date = nowOf(world),
): Promise<void> {
  const identityId = await identityOf(world, { companyId }, contactId)
  const { key } = kind === 'number' ? numberIdentifier(value) : { key: value }
  await remove(world, 'identifier', { companyId, kind, key })
  const row = { companyId, identityId, kind: kind!, key, value, proof: 'shown' }
  await insert(world, 'identifier', { ...row, firstAt: since, shownAt: since })
}

/** Writes another number of a contact down, past the checks of the API. */
export async function changeNumber(world: Recorded, contactId: string, phone: string) {
  await describeContact(world, contactId, { phone })
  const { key, value } = numberIdentifier(phone.slice(1))
  for (const { id } of await identitiesOf(world, contactId)) {
    await update(world, 'identifier', { identityId: id, kind: 'number' }, { key, value })
  }
}

/** Returns what is kept of what providers have shown of a contact, oldest first. */
export const identityChangesOf = (world: Recorded, contactId: string) =>
  read(world, 'identityChange', { contactId }, 'id')

/** Returns which contact each merged contact of a company is part of now, by the id of the merged one. */
export const mergesOf = async (world: Recorded, { companyId }: Company) =>
  new Map(
    (await read(world, 'contactMerge', { companyId })).map(({ fromId, intoId }) => [
      fromId,
      intoId,
    ]),
  )

/** Merges a contact into another one, as far as links to the first must follow: it is deleted. */
export async function mergeAway(
  world: Recorded,
  { companyId }: Company,
  { fromId, intoId }: { fromId: string; intoId: string },
) {
  const merge = { fromId, companyId, intoId, snapshot: '{}', mergedAt: nowOf(world) }
  await insert(world, 'contactMerge', merge)
  await remove(world, 'contact', { id: fromId })
}
