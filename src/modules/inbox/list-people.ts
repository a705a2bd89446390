import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { PersonView } from '../../contract/dashboard/conversation.ts'
import { toOrderedPage, type NamedPageQuery } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'

/**
 * Returns a page of the account's members, sorted by name; each can be assigned to a conversation or mentioned in a
 * note.
 */
export async function listPeople(
  { db }: Pick<Context, 'db'>,
  { accountId }: Pick<Actor, 'accountId'>,
  { limit, cursor }: NamedPageQuery,
): Promise<Page<PersonView>> {
  const name = sql<string>`coalesce(person.name, '')`
  const rows = await db.kysely
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.personId')
    .select(['person.id', 'person.name', name.as('by')])
    .where('member.accountId', '=', accountId)
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(${name}, person.id::text) > (${cursor!.by}, ${cursor!.id})`),
    )
    .orderBy(name)
    .orderBy(sql`person.id::text`)
    .limit(limit + 1)
    .execute()
  return toOrderedPage(
    rows,
    limit,
    ({ by, id }) => ({ by, id }),
    ({ id, name: known }) => ({ id, name: known }),
  )
}
