/** Decisions of a reply, which `executeDecision` carries out. */
import type { Fact } from '../../core/facts/fact.ts'
import type { ToolCall } from '../models/model.ts'
import type { GuardFault, GuardOutcome } from '../../core/vocabulary/reply-guard.ts'
import type { HandoverDetail } from '../../core/vocabulary/assistant-setup.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import type { VoiceNote } from './reply.ts'
import type { Parts } from './step-data.ts'

/** A decision to hand the conversation over. */
export type HandOverDecision = {
  kind: 'hand_over'
  reason: HandoverReason
  /** The model's explanation for staff. */
  reasonText: string | null
  /** The reason why code handed over. */
  detail: HandoverDetail | null
  /** The customer's lead is qualified in the same transaction. */
  qualifies?: boolean
  /** The message for the customer: the model's text, a fixed sentence, or none. */
  says: { kind: 'text'; text: string } | { kind: 'fixed' } | { kind: 'media' } | { kind: 'nothing' }
}

/** A decision, with the verdicts on a model's text if one was checked. */
export type Decision = Deciding & { outcomes?: readonly GuardOutcome[] }

type Deciding =
  /** The reply waits until `dueAt`; the claim is released. */
  | { kind: 'wait'; dueAt: Date }
  /** The end of the reply. `leavesCustomerUnanswered`: staff has to answer. */
  | {
      kind: 'end'
      state: 'sent' | 'not_sent' | 'unknown' | 'cancelled'
      why: Fact
      leavesCustomerUnanswered?: true
    }
  | HandOverDecision
  /** The debounce is over, and thinking begins. */
  | { kind: 'think' }
  | { kind: 'model'; toolChoice: 'auto' | 'none'; isShortened: boolean; note: GuardFault | null }
  | { kind: 'answer_proposal' }
  /** Voice notes are transcribed, until a deadline. */
  | { kind: 'hear'; notes: readonly VoiceNote[]; until: Date }
  | { kind: 'use'; call: ToolCall }
  /** The call is refused, and the model receives the reason. */
  | { kind: 'refuse'; call: ToolCall; result: string }
  /** The model's text is not sent, and the model rewrites it. `clause`: the faulty part, normalised. */
  | { kind: 'repair'; name: string; why: GuardFault; clause: string | null }
  | { kind: 'say'; parts: Parts }
  | { kind: 'say_next'; part: number; parts: Parts }

/** Returns the decision to hand the conversation over to staff. */
export function handOverDecision(
  reason: HandoverReason,
  detail: HandoverDetail | null,
  says: HandOverDecision['says'],
): HandOverDecision {
  return { kind: 'hand_over', reason, reasonText: null, detail, says }
}
