import type { Context } from '../context.ts'
import type { AccountView, RenameAccount } from '../contract/dashboard/account.ts'
import { transaction } from '../database/transaction.ts'
import type { Actor } from './actor.ts'
import { loadAccount } from './load-account.ts'
import { recordAudit } from './record-audit.ts'

/** Renames the actor's account; the name it has already changes nothing. */
export async function renameAccount(
  { db, ids, clock }: Context,
  actor: Actor,
  { name }: RenameAccount,
): Promise<AccountView> {
  const now = clock.now()
  const { accountId } = actor
  return transaction(db, async (tx) => {
    const account = await loadAccount(tx, actor)
    if (account.name === name) return account
    await tx.updateTable('account').set({ name }).where('id', '=', accountId).execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'account.renamed',
        subjectKind: 'account',
        subjectId: accountId,
        detail: { from: account.name, to: name },
      },
    )
    return { ...account, name }
  })
}
