import type { Context } from '../../infra/context.ts'
import type { AccountView, RenameAccount } from '../../contract/dashboard/account.ts'
import type { Actor } from './actor.ts'
import { loadAccount } from './load-account.ts'
import { auditedTransaction } from './audited-transaction.ts'

/** Renames the actor's account; an equal name changes nothing. */
export async function renameAccount(
  { db, ids, clock }: Context,
  actor: Actor,
  { name }: RenameAccount,
): Promise<AccountView> {
  const { accountId } = actor
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const account = await loadAccount(tx, actor)
    if (account.name === name) return account
    await tx.updateTable('account').set({ name }).where('id', '=', accountId).execute()
    await audit('account.renamed', { id: accountId }, { from: account.name, to: name })
    return { ...account, name }
  })
}
