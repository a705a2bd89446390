import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import { lockHookUrl } from './lock-hook-url.ts'
import type { OwnedHookUrl } from './view-hook-url.ts'

/** Deletes a hook URL with its saved shape: the URL answers 404 from the commit on. @throws not_found */
export async function deleteHookUrl(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedHookUrl,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await lockHookUrl(tx, owned)
    await tx
      .deleteFrom('hookUrl')
      .where('id', '=', owned.hookUrlId)
      .where('companyId', '=', owned.companyId)
      .execute()
    const { companyId, hookUrlId } = owned
    await audit('hook_url.deleted', { id: hookUrlId, companyId })
  })
}
