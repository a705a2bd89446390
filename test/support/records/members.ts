/** People, and the accounts that they are members of. */
import type { Account, FieldsOf, Recorded } from './records.ts'
import { add, newIdOf, nowOf, read, readOne, remove, update } from './records.ts'

/** Adds a person who is a member of no account yet. Returns their id. */
export function addPerson(world: Recorded, more: FieldsOf<'person'> = {}): Promise<string> {
  const id = more.id ?? newIdOf(world)
  return add(world, 'person', { email: `${id}@example.com`, createdAt: nowOf(world), ...more, id })
}

/** Makes an existing person a member of one more account. Returns the member's id. */
export const addMember = (
  world: Recorded,
  { accountId }: Account,
  { personId }: { personId: string },
  role = 'owner',
  since = nowOf(world),
): Promise<string> => add(world, 'member', { accountId, personId, role, createdAt: since })

/** Returns the memberships of a person, in whatever account. */
export const membershipsOf = (world: Recorded, { personId }: { personId: string }) =>
  read(world, 'member', { personId })

/** Gives a member another role without ending their sessions. */
export const setRole = (world: Recorded, { memberId }: { memberId: string }, role: string) =>
  update(world, 'member', { id: memberId }, { role })

/** Removes all members from an account, which is left without an Owner. */
export const removeMembers = (world: Recorded, { accountId }: Account) =>
  remove(world, 'member', { accountId })

export const describePerson = (world: Recorded, id: string, known: FieldsOf<'person'>) =>
  update(world, 'person', { id }, known)

/** Returns the person who has an e-mail address. */
export const personWith = (world: Recorded, email: string) => readOne(world, 'person', { email })

/** Makes a person the one that the demonstration signs in: at most one person is. */
export async function makeDemonstrationsOwner(world: Recorded, personId: string): Promise<void> {
  await update(world, 'person', 'all', { isDemonstration: false })
  await describePerson(world, personId, { isDemonstration: true })
}

/** Removes a person from their accounts, without the consequences. */
export const removePerson = (world: Recorded, personId: string) =>
  remove(world, 'member', { personId })
