import { isOfErased } from './stop-conditions.ts'
import type { RunPlan } from './run-plan.ts'

/**
 * Returns the ids of messages that the customer wrote during an effect and the run will not read. The run has ended, or
 * it waits for time only, so that they answer nothing that it asks later.
 * Spec: Flows › Replies; reading F9.
 */
export function unreadReplies({ loaded, consumed, end, change }: RunPlan): string[] {
  if (end === null && change?.waitKind !== 'time') return []
  return loaded.replies.slice(consumed.length).map(({ id }) => id)
}

/**
 * Returns whether the customer wrote to the run and gets no answer. A message stays unread, or the run was cancelled
 * after it read one, for instance when the plan lost automations. An erased customer does not count.
 */
export function leavesCustomerUnanswered(plan: RunPlan): boolean {
  const isCutShort = plan.end?.status === 'cancelled' && plan.consumed.length > 0
  return (isCutShort || unreadReplies(plan).length > 0) && !isOfErased(plan.loaded.run)
}

/**
 * Returns whether the run ends with its flow, or with the plan's automations, before it has answered. It was queued,
 * had an effect in progress or an unconfirmed send, or has sent nothing yet. A waiting run that has sent something
 * owes no answer. `OWES_ANSWER` in end-runs-of-deleted.sql.ts is the same for a row.
 */
export function endsWithoutAnswer({ loaded: { run }, end }: RunPlan): boolean {
  const code = end?.detail?.code
  if (code !== 'flow_deleted' && code !== 'no_automations') return false
  const isUnanswered = run.status !== 'waiting' || run.waitKind === 'sent' || !run.hasSent
  return isUnanswered && !isOfErased(run)
}
