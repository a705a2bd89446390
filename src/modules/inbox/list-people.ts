import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { ListedPerson } from '../../contract/dashboard/conversation.ts'
import { toOrderedPage, type NamedPageQuery } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'

/**
 * Returns a page of the account's members, sorted by name, or by e-mail address without one, ignoring case. Each can be
 * assigned to a conversation or mentioned in a note.
 */
export async function listPeople(
  { db }: Pick<Context, 'db'>,
  { accountId }: Pick<Actor, 'accountId'>,
  { limit, cursor }: NamedPageQuery,
): Promise<Page<ListedPerson>> {
  const name = sql<string>`coalesce(person.name, person.email)`
  const folded = sql<string>`lower(${name})`
  const rows = await db.kysely
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.personId')
    .select(['person.id', name.as('name'), folded.as('by')])
    .where('member.accountId', '=', accountId)
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(${folded}, person.id::text) > (${cursor!.by}, ${cursor!.id})`),
    )
    .orderBy(folded)
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
