/** The numbers and ids that find a contact, and contacts that were merged. */
import { nowOf, storeOf, type Recorded } from './records.ts'
import { describeContact } from './contacts.ts'

type Company = { companyId: string }

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
