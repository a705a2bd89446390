import type { Context } from '../context.ts'
import { fact } from '../facts/fact.ts'
import { ServiceError } from '../service-error.ts'
import type { Session } from './load-session.ts'
import { memberChange } from './member-change.ts'
import { rotateSession } from './start-session.ts'

/**
 * Goes on in another account of the person, with a new token since the role may be another.
 * @throws not_found for an account that the person is no member of.
 */
export async function switchAccount(
  { db, ids, clock }: Context,
  session: Session,
  { accountId }: { accountId: string },
): Promise<{ token: string }> {
  const now = clock.now()
  const { personId } = session.actor
  return memberChange({ db, ids, now }, { accountId, personId }, async (tx, audit) => {
    const member = await tx
      .selectFrom('member')
      .select('id')
      .where('accountId', '=', accountId)
      .where('personId', '=', personId)
      .executeTakeFirst()
    if (!member) throw new ServiceError('not_found', fact('not_your_account'))
    await audit('session.switched', { kind: 'session', id: session.id })
    return rotateSession(tx, ids, session.id, { accountId })
  })
}
