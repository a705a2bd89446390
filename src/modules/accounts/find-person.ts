import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'

/**
 * The people with an e-mail address, whatever its letters' case: first the one whose it is, then those
 * in one account each who only say so, the oldest first. At most 5.
 */
export function findPeople(db: Kysely<DB>, email: string) {
  return db
    .selectFrom('person')
    .select(['id', 'passwordHash', 'unverifiedInAccountId'])
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .orderBy((order) => order('unverifiedInAccountId', 'is', null), 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(SIGN_IN_LIMITS.peoplePerEmail)
    .execute()
}
