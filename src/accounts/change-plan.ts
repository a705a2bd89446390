import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import type { Plan } from '../vocabulary.ts'
import { recordAudit } from './record-audit.ts'

/** Puts an account on another plan: the operator alone does this. @throws not_found */
export async function changePlan(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { accountId, plan }: { accountId: string; plan: Plan },
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select('plan')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    if (!account) throw new ServiceError('not_found', `There is no account ${accountId}.`)
    if (account.plan === plan) return
    await tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor: { accountId, personId: null },
        action: 'account.plan_changed',
        subjectKind: 'account',
        subjectId: accountId,
        detail: { from: account.plan, to: plan },
      },
    )
  })
}
