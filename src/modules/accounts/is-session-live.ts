import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'

/**
 * Whether a session that was good when a long request or answer began still is: not ended, not expired, not
 * idle for 12 hours, still in the same account, and its person still has one of the roles there, and the second
 * factor where the account wants one; not that of who was about to set it up. It does not count as use of the
 * session.
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
