import type { Context } from '../../infra/context.ts'
import { registerChangedEndpoints } from '../../infra/database/after-commit.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { auditedTransaction } from './audited-transaction.ts'

/** Changes the plan of an account for the operator, even if its usage exceeds the new plan. @throws not_found */
export async function changePlan(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { accountId, plan }: { accountId: string; plan: Plan },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, { accountId, personId: null }, async (tx, audit) => {
    const account = await tx
      .selectFrom('account')
      .select('plan')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow(
        () => new ServiceError('not_found', fact('no_such_account', { account: accountId })),
      )
    if (account.plan === plan) return
    registerChangedEndpoints(tx)
    await tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute()
    await audit('account.plan_changed', { id: accountId }, { from: account.plan, to: plan })
  })
}
