import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'

/**
 * Returns at most 5 people with an e-mail address, ignoring case. The person with the verified address comes first, then
 * those with an unverified one, each in a single account, oldest first.
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
