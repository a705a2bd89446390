import type { Context } from '../context.ts'
import { noteChangedEndpoints } from '../database/commit-notes.ts'
import { fact } from '../facts/fact.ts'
import { ServiceError } from '../service-error.ts'
import type { Plan } from '../vocabulary/accounts.ts'
import { memberChange } from './member-change.ts'

/** Puts an account on another plan: the operator alone does this. @throws not_found */
export async function changePlan(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { accountId, plan }: { accountId: string; plan: Plan },
): Promise<void> {
  const now = clock.now()
  await memberChange({ db, ids, now }, { accountId, personId: null }, async (tx, audit) => {
    const account = await tx
      .selectFrom('account')
      .select('plan')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    if (!account)
      throw new ServiceError('not_found', fact('no_such_account', { account: accountId }))
    if (account.plan === plan) return
    noteChangedEndpoints(tx)
    await tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute()
    await audit(
      'account.plan_changed',
      { kind: 'account', id: accountId },
      { from: account.plan, to: plan },
    )
  })
}
