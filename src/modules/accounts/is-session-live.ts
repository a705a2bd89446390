import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { selectLiveSessions } from './load-session.ts'

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
  const session = await selectLiveSessions(db, now)
    .select('session.id')
    .where('session.id', '=', sessionId)
    .where('session.accountId', '=', accountId)
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
