import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'

/**
 * Returns whether a session that was valid at the start of a long request or response still is. It must not have
 * ended, expired or been idle for 12 hours, and must belong to the same account. Its person must still have one of
 * the roles, and the second factor where the account requires one. A session that may only set one up does not
 * qualify. The check does not count as use of the session.
 */
export async function isSessionLive(
  db: Kysely<DB>,
  {
    sessionId,
    accountId,
    roles,
    now,
    mustSetUpSecondFactor = false,
  }: {
    sessionId: string
    accountId: string
    roles: readonly Role[]
    now: Date
    mustSetUpSecondFactor?: boolean
  },
): Promise<boolean> {
  const session = await db
    .selectFrom('session')
    .innerJoin('member', (join) =>
      join
        .onRef('member.personId', '=', 'session.personId')
        .onRef('member.accountId', '=', 'session.accountId'),
    )
    .innerJoin('account', 'account.id', 'session.accountId')
    .innerJoin('person', 'person.id', 'session.personId')
    .leftJoin('secondFactor', 'secondFactor.personId', 'session.personId')
    .select('session.id')
    .where('session.id', '=', sessionId)
    .where('session.accountId', '=', accountId)
    .where('session.expiresAt', '>', now)
    .where('session.lastSeenAt', '>', new Date(now.getTime() - SIGN_IN_LIMITS.sessionIdleMs))
    .where('member.role', 'in', roles)
    .$if(!mustSetUpSecondFactor, (select) =>
      select.where((or) =>
        or.or([
          or('account.needsSecondFactor', '=', false),
          or('secondFactor.confirmedAt', 'is not', null),
          or('person.isDemonstration', '=', true),
        ]),
      ),
    )
    .executeTakeFirst()
  return session !== undefined
}
