import type { Context } from '../../infra/context.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Session } from './load-session.ts'
import { auditedTransaction } from './audited-transaction.ts'

/** Ends one of the person's own sessions, this one (sign-out) or another. @throws not_found */
export async function endSession(
  { db, ids, clock }: Context,
  { actor }: Session,
  sessionId: string,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const ended = await tx
      .deleteFrom('session')
      .where('id', '=', sessionId)
      .where('personId', '=', actor.personId)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) {
      throw new ServiceError('not_found', fact('no_such_session'))
    }
    await audit('session.ended', { id: sessionId })
  })
}

/** Ends every session of the person except this one. */
export async function endOtherSessions(
  { db, ids, clock }: Context,
  { id, actor }: Session,
): Promise<{ ended: number }> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const { numDeletedRows } = await tx
      .deleteFrom('session')
      .where('personId', '=', actor.personId)
      .where('id', '<>', id)
      .executeTakeFirst()
    const ended = Number(numDeletedRows)
    await audit('sessions.ended', { kind: 'person', id: actor.personId }, { ended })
    return { ended }
  })
}
