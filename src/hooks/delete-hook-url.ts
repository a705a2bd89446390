import type { Actor } from '../accounts/actor.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { lockHookUrl } from './lock-hook-url.ts'
import type { OwnedHookUrl } from './view-hook-url.ts'

/** Deletes a hook URL with its kept shape: it answers 404 from the commit on. @throws not_found */
export async function deleteHookUrl(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedHookUrl,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockHookUrl(tx, owned)
    await tx
      .deleteFrom('hookUrl')
      .where('id', '=', owned.hookUrlId)
      .where('companyId', '=', owned.companyId)
      .execute()
    await recordAudit(
      tx,
      { ids, now: clock.now() },
      {
        actor,
        action: 'hook_url.deleted',
        subjectKind: 'hook_url',
        subjectId: owned.hookUrlId,
        companyId: owned.companyId,
      },
    )
  })
}
