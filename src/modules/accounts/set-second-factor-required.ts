import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { AccountView } from '../../contract/dashboard/account.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Actor } from './actor.ts'
import { loadAccount } from './load-account.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { hasSecondFactor } from './use-code.ts'

/**
 * Sets whether every member of the account needs a second factor. A member without one can then only set one up, also
 * in existing sessions, and their live streams end immediately.
 * @throws conflict for an Owner without a second factor
 */
export async function setSecondFactorRequired(
  { db, ids, clock }: Context,
  actor: Actor,
  { isNeeded }: { isNeeded: boolean },
): Promise<AccountView> {
  const { accountId, personId } = actor
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const account = await loadAccount(tx, actor)
    if (account.needsSecondFactor === isNeeded) return account
    if (isNeeded && !(await hasSecondFactor(tx, personId))) {
      throw new ServiceError('conflict', fact('second_factor_of_your_own'))
    }
    await tx
      .updateTable('account')
      .set({ needsSecondFactor: isNeeded })
      .where('id', '=', accountId)
      .execute()
    if (isNeeded) {
      await sql`select pg_notify('wasla_session_ended', session.id::text) from session
        where account_id = ${accountId}`.execute(tx)
    }
    await audit(isNeeded ? 'account.second_factor_needed' : 'account.second_factor_not_needed', {
      id: accountId,
    })
    return { ...account, needsSecondFactor: isNeeded }
  })
}
