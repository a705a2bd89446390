import type { Retries } from '../../infra/database/queues/defer-job.ts'
import { REPLY_WORK } from '../../core/limits/replies.ts'
import type { ClaimedMessage } from '../messaging/queue-message.ts'
import { handOverDecision } from './decision.ts'
import { handOverReply } from './hand-over-reply.ts'
import { lockReply, loadReply } from './load-reply.sql.ts'
import type { ReplyRow } from './reply.ts'
import type { ReplyAdvanceDeps } from './reply-context.ts'
import { REPLY_QUEUE } from './reply-queue.ts'

/** The retries of replies after an internal error. After the last one the reply is handed over. */
export const REPLY_RETRIES: Retries<ReplyRow, ReplyAdvanceDeps, ClaimedMessage> = {
  queue: REPLY_QUEUE,
  table: 'assistant_reply',
  retryDelaysMs: REPLY_WORK.retryDelaysMs,
  lock: lockReply,
  async fail(tx, deps, reply) {
    const loaded = await loadReply(tx, reply, deps)
    const decision = handOverDecision('missing_information', 'fault', { kind: 'fixed' })
    return handOverReply({ tx, deps, loaded, now: deps.now }, decision)
  },
}
