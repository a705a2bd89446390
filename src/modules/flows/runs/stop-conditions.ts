import { fact, type Fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { isStaffHandling } from '../../../rules/messaging/take-over.ts'
import type { RunEnd } from './interpret-flow.ts'
import type { SilentEnd } from './end-run.ts'
import { mayRunDuringStaffHandling } from './may-run-during-staff-handling.ts'
import type { LockedRun } from './read-run.ts'

/**
 * Returns the end of a run that must stop whatever its input, or null: its flow was deleted, it was cancelled, its
 * customer opted out, or staff handles the conversation. Checked when a run starts or resumes, before a send, after a
 * send or call, and before a wait.
 *
 * An opt-out completes a run that has begun, and skips another. A takeover cancels or skips it, and a deleted flow
 * cancels it, both without an event.
 * Spec: States › Run; Flows › Opt-out; readings F5, F6, F27, H17.
 */
export function whyRunMustStop(loaded: LockedRun, now: Date): RunEnd | SilentEnd | null {
  if (loaded.isFlowDeleted) return FLOW_DELETED
  if (loaded.run.cancelDetail !== null) return dropped(loaded, parseFact(loaded.run.cancelDetail))
  if (loaded.contact?.optedOutAt) {
    if (!hasBegun(loaded)) return dropped(loaded, fact('opted_out_before_start'))
    return {
      kind: 'end',
      status: 'completed',
      endReason: 'customer_exited',
      detail: fact('opted_out'),
    }
  }
  if (
    isStaffHandling(loaded.conversation, now) &&
    !mayRunDuringStaffHandling(loaded.run, loaded.conversation.takenOverAt)
  ) {
    return dropped(loaded, fact('staff_handling'))
  }
  return null
}

/**
 * Returns the end of a run that may not send, call or book now, or null: it must stop, or the plan has no automations.
 * Whether the plan allows calls is checked when a call is made.
 */
export function whyEffectBlocked(loaded: LockedRun, now: Date): RunEnd | SilentEnd | null {
  if (!loaded.hasAutomations) {
    return whyRunMustStop(loaded, now) ?? dropped(loaded, fact('no_automations'))
  }
  return whyRunMustStop(loaded, now)
}

/** Returns whether a run was cancelled because its contact or visitor was erased. Spec: Contacts › Erasing. */
export function isOfErased({ cancelDetail }: LockedRun['run']): boolean {
  if (cancelDetail === null) return false
  const { code } = parseFact(cancelDetail)
  return code === 'run_contact_erased' || code === 'run_visitor_erased'
}

/** The end of every run of a deleted flow, whatever its state. */
export const FLOW_DELETED: SilentEnd = {
  kind: 'end',
  status: 'cancelled',
  endReason: null,
  detail: fact('flow_deleted'),
}

/** Returns a silent end: skipped for a queued run, else cancelled. */
function dropped(loaded: LockedRun, detail: Fact): SilentEnd {
  const status = hasBegun(loaded) ? 'cancelled' : 'skipped'
  return { kind: 'end', status, endReason: null, detail }
}

function hasBegun({ run }: LockedRun): boolean {
  return run.status !== 'queued'
}
