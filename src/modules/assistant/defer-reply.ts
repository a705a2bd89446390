import { transaction } from '../../infra/database/transaction.ts'
import { REPLY_WORK } from '../../core/limits/replies.ts'
import { handOver } from './decision.ts'
import type { ClaimedReply } from './reply-queue.ts'
import { handOverReply } from './hand-over-reply.ts'
import { lockReply, loadReply } from './load-reply.sql.ts'
import type { ReplyAdvanceDeps } from './reply-context.ts'
import type { ClaimedMessage } from '../messaging/queue-message.ts'

/** Defers a reply that cannot be advanced, with a growing delay; after the last one it is handed over. */
export async function deferReply(
  deps: ReplyAdvanceDeps & { dispatchMessages(messages: readonly ClaimedMessage[]): void },
  claimed: ClaimedReply,
): Promise<void> {
  const queued = await transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const reply = await lockReply(tx, claimed)
    if (!reply) return []
    const delayMs = REPLY_WORK.retryDelaysMs[reply.failureCount]
    if (delayMs === undefined) {
      const loaded = await loadReply(tx, reply, deps)
      const decision = handOver('missing_information', 'fault', { kind: 'fixed' })
      return handOverReply({ tx, deps, loaded, now }, decision)
    }
    await tx
      .updateTable('assistantReply')
      .set({
        failureCount: reply.failureCount + 1,
        dueAt: new Date(now.getTime() + delayMs),
        claimId: null,
        leaseExpiresAt: null,
      })
      .where('id', '=', reply.id)
      .execute()
    return []
  })
  deps.dispatchMessages(queued)
}
