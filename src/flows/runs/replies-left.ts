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
