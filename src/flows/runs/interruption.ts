import { fact, type Fact } from '../../facts/fact.ts'
import { readFact } from '../../facts/stored-fact.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import type { RunEnd } from './advance.ts'
import type { RunDropped } from './end-run.ts'
import { isBesideStaff } from './beside-staff.ts'
import type { RunInHand } from './read-run.ts'

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
export function interruption(hand: RunInHand, now: Date): RunEnd | RunDropped | null {
  if (hand.isFlowDeleted) return FLOW_DELETED
  if (hand.run.cancelDetail !== null) return dropped(hand, readFact(hand.run.cancelDetail))
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
    !isBesideStaff(hand.run, hand.conversation.takenOverAt)
  ) {
    return dropped(hand, fact('staff_handling'))
  }
  return null
}

/**
 * Why a run may have no effect outside, looked at in the turn that begins one. Null when it may.
 * Whether the account's plan lets it call the merchant's system is asked when the call is made.
 */
export function mayNotAct(hand: RunInHand, now: Date): RunEnd | RunDropped | null {
  if (!hand.hasAutomations) {
    return interruption(hand, now) ?? dropped(hand, fact('no_automations'))
  }
  return interruption(hand, now)
}

/** Whether its contact, or visitor, was erased while it was under way. Spec: Contacts › Erasing. */
export function isOfErased({ cancelDetail }: RunInHand['run']): boolean {
  if (cancelDetail === null) return false
  const { code } = readFact(cancelDetail)
  return code === 'run_contact_erased' || code === 'run_visitor_erased'
}

/** How each run ends that a deleted flow leaves, however far it has come. */
export const FLOW_DELETED: RunDropped = {
  kind: 'end',
  status: 'cancelled',
  endReason: null,
  detail: fact('flow_deleted'),
}

/** The silent end of a run: skipped before it began, cancelled half-way. */
function dropped(hand: RunInHand, detail: Fact): RunDropped {
  const status = hasBegun(hand) ? 'cancelled' : 'skipped'
  return { kind: 'end', status, endReason: null, detail }
}

function hasBegun({ run }: RunInHand): boolean {
  return run.status !== 'queued'
}
