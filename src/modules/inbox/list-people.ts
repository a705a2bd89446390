import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { PersonView } from '../../contract/dashboard/conversation.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'

/** Returns the account's members, sorted by name; each can be assigned to a conversation or mentioned in a note. */
export async function listPeople(
  { db }: Pick<Context, 'db'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<{ items: PersonView[] }> {
  const items = await db.kysely
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.personId')
    .select(['person.id', 'person.name'])
    .where('member.accountId', '=', accountId)
    .orderBy('person.name')
    .orderBy('person.id')
    .limit(INBOX_LIMITS.people)
    .execute()
  return { items }
}
