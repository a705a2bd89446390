import { isOfErased } from './interruption.ts'
import type { PlannedTurn } from './plan-turn.ts'

/**
 * What the customer wrote while the run was at work, and the run will not read: it has ended, or now lets a
 * time pass and listens to nobody, so that this is no answer to what it asks afterwards. Ids of messages.
 * Spec: Flows › Replies; reading F9.
 */
export function repliesLeft({ hand, consumed, end, change }: PlannedTurn): string[] {
  if (end === null && change?.waitKind !== 'time') return []
  return hand.replies.slice(consumed.length).map(({ id }) => id)
}

/**
 * Whether the customer wrote to the run and has nothing of it: it leaves a message unread, or was cancelled over
 * one that it read, as where the plan has no automations any more. Of who was erased there is nothing to look at.
 */
export function leavesCustomer(plan: PlannedTurn): boolean {
  const isCutShort = plan.end?.status === 'cancelled' && plan.consumed.length > 0
  return (isCutShort || repliesLeft(plan).length > 0) && !isOfErased(plan.hand.run)
}
