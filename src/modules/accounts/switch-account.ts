import type { Context } from '../../infra/context.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Session } from './load-session.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { rotateSession } from './start-session.ts'

/**
 * Switches the session to another account of the person, with a new token since the role may differ.
 * @throws not_found for an account that the person is no member of.
 */
export async function switchAccount(
  { db, ids, clock }: Context,
  session: Session,
  { accountId }: { accountId: string },
): Promise<{ token: string }> {
  const { personId } = session.actor
  return auditedTransaction({ db, ids, clock }, { accountId, personId }, async (tx, audit) => {
    await tx
      .selectFrom('member')
      .select('id')
      .where('accountId', '=', accountId)
      .where('personId', '=', personId)
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('not_your_account')))
    await audit('session.switched', { id: session.id })
    return rotateSession(tx, ids, session.id, { accountId })
  })
}
