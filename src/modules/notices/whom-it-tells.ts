import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'

export type Reader = Pick<Actor, 'accountId' | 'personId' | 'role'>

/** Notices of the account are for its Owners and Admins; one that names a person is for them alone. */
export function isFor({ personId, role }: Reader) {
  return role === 'agent'
    ? sql<boolean>`notice.person_id = ${personId}`
    : sql<boolean>`(notice.person_id is null or notice.person_id = ${personId})`
}
