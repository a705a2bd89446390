/** People, and the accounts that they are members of. */
import { newIdOf, nowOf, storeOf, type FieldsOf, type Recorded, type RecordOf } from './records.ts'

type PersonRecord = RecordOf<'person'>

/** Adds a person who is a member of no account yet. Returns their id. */
export async function addPerson(world: Recorded, more: FieldsOf<'person'> = {}): Promise<string> {
  const id = more.id ?? newIdOf(world)
  await storeOf(world)
    .insertInto('person')
    .values({ email: `${id}@example.com`, createdAt: nowOf(world), ...more, id })
    .execute()
  return id
}

/** Sets what is known of a person. */
export async function describePerson(
  world: Recorded,
  personId: string,
  known: Partial<
    Pick<
      PersonRecord,
      'name' | 'email' | 'language' | 'passwordHash' | 'unprovedIn' | 'isDemonstration'
    >
  >,
): Promise<void> {
  await storeOf(world).updateTable('person').set(known).where('id', '=', personId).execute()
}
