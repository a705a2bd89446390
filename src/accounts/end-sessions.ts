import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import type { Session } from './load-session.ts'
import { recordAudit } from './record-audit.ts'

/** Ends one of the person's own sessions, this one (sign-out) or another. @throws not_found */
export async function endSession(
  { db, ids, clock }: Context,
  { actor }: Session,
  sessionId: string,
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    const ended = await tx
      .deleteFrom('session')
      .where('id', '=', sessionId)
      .where('personId', '=', actor.personId)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) {
      throw new ServiceError('not_found', 'You have no such session.')
    }
    await recordAudit(
      tx,
      { ids, now },
      { actor, action: 'session.ended', subjectKind: 'session', subjectId: sessionId },
    )
  })
}

/** Ends every session of the person but this one. */
export async function endOtherSessions(
  { db, ids, clock }: Context,
  { id, actor }: Session,
): Promise<{ ended: number }> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('session')
      .where('personId', '=', actor.personId)
      .where('id', '<>', id)
      .executeTakeFirst()
    const ended = Number(numDeletedRows)
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'sessions.ended',
        subjectKind: 'person',
        subjectId: actor.personId,
        detail: { ended },
      },
    )
    return { ended }
  })
}
