import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'

/** The member who reads notices. */
export type NoticeReader = Pick<Actor, 'accountId' | 'personId' | 'role'>

/**
 * Returns the SQL condition for the notices that a member may see: those for the person, and for Owners and Admins
 * those for no single person. The caller restricts them to the account.
 */
export function visibleNoticesCondition({ personId, role }: NoticeReader) {
  return role === 'agent'
    ? sql<boolean>`notice.person_id = ${personId}`
    : sql<boolean>`(notice.person_id is null or notice.person_id = ${personId})`
}
