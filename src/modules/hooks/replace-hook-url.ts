import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { NewHookUrl } from '../../contract/dashboard/hook-url.ts'
import { lockHookUrl } from './lock-hook-url.ts'
import { makeHookToken, hookUrlOf } from './create-hook-url.ts'
import { showHookUrl, type OwnedHookUrl } from './view-hook-url.ts'

/**
 * Gives a hook URL a new token and returns the new URL. The old one answers 404 from the commit on. Idempotency keys
 * belong to the flow, so those of earlier requests stay known.
 * @throws not_found
 * Spec: Hooks › Request; Hooks › Idempotency.
 */
export async function replaceHookUrl(
  { db, ids, clock, publicUrl }: Context & { publicUrl(): string },
  actor: Actor,
  owned: OwnedHookUrl,
): Promise<NewHookUrl> {
  const made = makeHookToken(ids)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockHookUrl(tx, owned)
    await tx
      .updateTable('hookUrl')
      .set({ ...made.columns, replacedAt: now })
      .where('id', '=', owned.hookUrlId)
      .where('companyId', '=', owned.companyId)
      .execute()
    await audit('hook_url.replaced', { id: owned.hookUrlId, companyId: owned.companyId })
    return { hookUrl: await showHookUrl(tx, owned), url: hookUrlOf(publicUrl(), made.token) }
  })
}
