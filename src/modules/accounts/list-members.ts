import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { MemberView } from '../../contract/dashboard/member.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import type { Actor } from './actor.ts'

/** Returns a page of the members of the actor's account, in the order they joined. */
export async function listMembers(
  { db }: Context,
  actor: Actor,
  { limit, cursor }: PageQuery,
): Promise<Page<MemberView>> {
  const rows = await pageOf(selectMembers(db.kysely, actor.accountId), { limit, cursor }, [
    'member.id',
    'oldest',
  ]).execute()
  return toPage(rows, limit, viewMember)
}

/** Returns the query of an account's members with their persons. */
export function selectMembers(db: Kysely<DB>, accountId: string) {
  return db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.personId')
    .select([
      'member.id',
      'member.personId',
      'person.email',
      'person.name',
      'member.role',
      'member.createdAt',
    ])
    .where('member.accountId', '=', accountId)
}

/** Converts a row to the view of a member. */
export function viewMember(row: {
  id: string
  personId: string
  email: string
  name: string | null
  role: string
  createdAt: Date
}): MemberView {
  return {
    id: row.id,
    personId: row.personId,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    createdAt: row.createdAt.toISOString(),
  }
}
