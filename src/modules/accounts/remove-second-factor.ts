import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { auditEverywhere } from './set-password.ts'
import { requirePerson } from './reset-password.ts'
import { dropSecondFactor } from './second-factor.ts'

/**
 * Deletes the second factor of a person who has lost their phone and their recovery codes. All their sessions end.
 * Only the operator can do this, after verifying the person by other means.
 * @throws not_found; conflict as `resetPassword`, and when they have none
 */
export async function removeSecondFactor(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { email, accountId }: { email: string; accountId?: string },
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    const personId = await requirePerson(tx, email, accountId)
    if (!(await dropSecondFactor(tx, personId))) {
      throw new ServiceError('conflict', fact('second_factor_off', { email }))
    }
    await tx.deleteFrom('session').where('personId', '=', personId).execute()
    const action = 'second_factor.removed'
    await auditEverywhere(tx, { ids, now }, { personId, actorId: null, action })
  })
}
