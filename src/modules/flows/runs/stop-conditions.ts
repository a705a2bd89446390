import { fact, type Fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { isStaffHandling } from '../../../rules/messaging/take-over.ts'
import type { RunEnd } from './interpret-flow.ts'
import type { SilentEnd } from './end-run.ts'
import { startedDuringStaffHandling } from './started-during-staff-handling.ts'
import type { LockedRun } from './read-run.ts'

/**
 * Why a run may not go on, whatever has happened to it: its flow was deleted, it was cancelled, its
 * customer has opted out, or staff is handling the conversation. Null while it may. Looked at when a run
 * starts, is woken from a wait, is about to send, has come to the end of a send or a call, and is about to
 * wait.
 *
 * A customer's leaving completes a run that had begun; one that had not is skipped. Staff's taking
 * over cancels it or skips it, and a deleted flow cancels it, in silence.
 * Spec: States › Run; Flows › Opt-out; readings F5, F6, F27, H17.
 */
export function whyRunMustStop(hand: LockedRun, now: Date): RunEnd | SilentEnd | null {
  if (hand.isFlowDeleted) return FLOW_DELETED
  if (hand.run.cancelDetail !== null) return dropped(hand, parseFact(hand.run.cancelDetail))
  if (hand.contact?.optedOutAt) {
    if (!hasBegun(hand)) return dropped(hand, fact('opted_out_before_start'))
    return {
      kind: 'end',
      status: 'completed',
      endReason: 'customer_exited',
      detail: fact('opted_out'),
    }
  }
  if (
    isStaffHandling(hand.conversation, now) &&
    !startedDuringStaffHandling(hand.run, hand.conversation.takenOverAt)
  ) {
    return dropped(hand, fact('staff_handling'))
  }
  return null
}

/**
 * Why a run may have no effect outside, looked at in the turn that begins one. Null when it may.
 * Whether the account's plan lets it call the merchant's system is asked when the call is made.
 */
export function whyMutationBlocked(hand: LockedRun, now: Date): RunEnd | SilentEnd | null {
  if (!hand.hasAutomations) {
    return whyRunMustStop(hand, now) ?? dropped(hand, fact('no_automations'))
  }
  return whyRunMustStop(hand, now)
}

/** Whether its contact, or visitor, was erased while it was under way. Spec: Contacts › Erasing. */
export function isOfErased({ cancelDetail }: LockedRun['run']): boolean {
  if (cancelDetail === null) return false
  const { code } = parseFact(cancelDetail)
  return code === 'run_contact_erased' || code === 'run_visitor_erased'
}

/** How each run ends that a deleted flow leaves, however far it has come. */
export const FLOW_DELETED: SilentEnd = {
  kind: 'end',
  status: 'cancelled',
  endReason: null,
  detail: fact('flow_deleted'),
}

/** The silent end of a run: skipped before it began, cancelled half-way. */
function dropped(hand: LockedRun, detail: Fact): SilentEnd {
  const status = hasBegun(hand) ? 'cancelled' : 'skipped'
  return { kind: 'end', status, endReason: null, detail }
}

function hasBegun({ run }: LockedRun): boolean {
  return run.status !== 'queued'
}
