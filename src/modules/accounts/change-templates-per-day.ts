import type { Context } from '../../infra/context.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { auditedTransaction } from './audited-transaction.ts'

/**
 * Sets an account's limit of automated templates a day (UTC); null restores that of its plan. Only the operator can
 * do this.
 * @throws not_found
 */
export async function changeTemplatesPerDay(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { accountId, templatesPerDay }: { accountId: string; templatesPerDay: number | null },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, { accountId, personId: null }, async (tx, audit) => {
    const account = await tx
      .selectFrom('account')
      .select('templatesPerDay')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow(
        () => new ServiceError('not_found', fact('no_such_account', { account: accountId })),
      )
    if (account.templatesPerDay === templatesPerDay) return
    await tx.updateTable('account').set({ templatesPerDay }).where('id', '=', accountId).execute()
    await audit(
      'account.templates_per_day_changed',
      { id: accountId },
      { from: account.templatesPerDay, to: templatesPerDay },
    )
  })
}
