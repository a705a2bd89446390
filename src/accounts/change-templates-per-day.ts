import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Gives an account a number of automated templates a day (UTC) of its own; null puts it back on its
 * plan's. The operator alone does this. @throws not_found
 */
export async function changeTemplatesPerDay(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { accountId, templatesPerDay }: { accountId: string; templatesPerDay: number | null },
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select('templatesPerDay')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    if (!account) throw new ServiceError('not_found', `There is no account ${accountId}.`)
    if (account.templatesPerDay === templatesPerDay) return
    await tx.updateTable('account').set({ templatesPerDay }).where('id', '=', accountId).execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor: { accountId, personId: null },
        action: 'account.templates_per_day_changed',
        subjectKind: 'account',
        subjectId: accountId,
        detail: { from: account.templatesPerDay, to: templatesPerDay },
      },
    )
  })
}
