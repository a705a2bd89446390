/** People, and the accounts that they are members of. */
import {
  given,
  newIdOf,
  nowOf,
  storeOf,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'

type PersonRecord = RecordOf<'person'>

export const personOf = (world: Recorded, personId: string): Promise<PersonRecord> =>
  storeOf(world)
    .selectFrom('person')
    .selectAll()
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()

export const personWith = (world: Recorded, email: string): Promise<PersonRecord> =>
  storeOf(world)
    .selectFrom('person')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow()

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

/** Returns the members of an account, or the memberships of a person, in the order in which they came. */
export const membersOf = (
  world: Recorded,
  { accountId, personId, role }: { accountId?: string; personId?: string; role?: string },
) =>
  storeOf(world)
    .selectFrom('member')
    .selectAll()
    .where((eb) => eb.and(given({ accountId, personId, role })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Makes a person a member of an account. Returns the id of the membership. */
export async function addMember(
  world: Recorded,
  { accountId, personId, role }: { accountId: string; personId: string; role: string },
): Promise<string> {
  const id = newIdOf(world)
  await storeOf(world)
    .insertInto('member')
    .values({ id, accountId, personId, role, createdAt: nowOf(world) })
    .execute()
  return id
}

/** Ends memberships without an event: those of a person, or all of an account. */
export async function removeMembers(
  world: Recorded,
  { accountId, personId }: { accountId?: string; personId?: string },
): Promise<void> {
  await storeOf(world)
    .deleteFrom('member')
    .where((eb) => eb.and(given({ accountId, personId })))
    .execute()
}

export async function setRole(world: Recorded, memberId: string, role: string): Promise<void> {
  await storeOf(world).updateTable('member').set({ role }).where('id', '=', memberId).execute()
}

/** Returns the sessions of a person or account, in the order in which they began. */
export const sessionsOf = (
  world: Recorded,
  { personId, accountId }: { personId?: string; accountId?: string },
) =>
  storeOf(world)
    .selectFrom('session')
    .selectAll()
    .where((eb) => eb.and(given({ personId, accountId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
