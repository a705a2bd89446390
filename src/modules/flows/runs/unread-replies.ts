import { isOfErased } from './stop-conditions.ts'
import type { RunPlan } from './planned-turn.ts'

/**
 * What the customer wrote while the run was at work, and the run will not read: it has ended, or now lets a
 * time pass and listens to nobody, so that this is no answer to what it asks afterwards. Ids of messages.
 * Spec: Flows › Replies; reading F9.
 */
export function unreadReplies({ hand, consumed, end, change }: RunPlan): string[] {
  if (end === null && change?.waitKind !== 'time') return []
  return hand.replies.slice(consumed.length).map(({ id }) => id)
}

/**
 * Whether the customer wrote to the run and has nothing of it: it leaves a message unread, or was cancelled over
 * one that it read, as where the plan has no automations any more. Of who was erased there is nothing to look at.
 */
export function leavesCustomerUnanswered(plan: RunPlan): boolean {
  const isCutShort = plan.end?.status === 'cancelled' && plan.consumed.length > 0
  return (isCutShort || unreadReplies(plan).length > 0) && !isOfErased(plan.hand.run)
}

/**
 * Whether the run ends with its flow, or with the plan's automations, before it has answered: it had not begun, was
 * at work, did not know whether what it said went out, or had said nothing yet. A customer who wrote to it has
 * nothing of that. One that waits after it has spoken waits for them, or has told them what there was to tell.
 * `OWES_ANSWER` in end-runs-of-deleted.sql.ts is the same of a row.
 */
export function isCutOff({ hand: { run }, end }: RunPlan): boolean {
  const code = end?.detail?.code
  if (code !== 'flow_deleted' && code !== 'no_automations') return false
  const isUnanswered = run.status !== 'waiting' || run.waitKind === 'sent' || !run.hasSent
  return isUnanswered && !isOfErased(run)
}
