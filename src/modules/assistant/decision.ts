/** What a reply does next. Carried out by who takes the turn. */
import type { Fact } from '../../core/facts/fact.ts'
import type { ToolCall } from '../models/model.ts'
import type { GuardFault, Judged } from '../../core/vocabulary/reply-guard.ts'
import type { HandoverDetail } from '../../core/vocabulary/assistant-setup.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import type { VoiceNote } from './reply.ts'
import type { Parts } from './step-data.ts'

export type HandOverDecision = {
  kind: 'hand_over'
  reason: HandoverReason
  /** The model's words for staff. */
  reasonText: string | null
  /** Why code handed over. */
  detail: HandoverDetail | null
  /** The customer's lead is qualified along with it. */
  qualifies?: boolean
  /** What the customer is told: the model's words, a sentence of the company or ours, or nothing. */
  says: { kind: 'text'; text: string } | { kind: 'fixed' } | { kind: 'media' } | { kind: 'nothing' }
}

/** With what became of the text that a model wrote; absent where none was looked at. */
export type Decision = Deciding & { judged?: readonly Judged[] }

type Deciding =
  /** Nothing to do before; the claim is given back. */
  | { kind: 'wait'; dueAt: Date }
  /** `leavesCustomerUnanswered`: nobody else has the customer, so that staff is to look at what is unanswered. */
  | {
      kind: 'end'
      state: 'sent' | 'not_sent' | 'unknown' | 'cancelled'
      why: Fact
      leavesCustomerUnanswered?: true
    }
  | HandOverDecision
  /** What was gathered is thought about from now on. */
  | { kind: 'think' }
  | { kind: 'ask'; toolChoice: 'auto' | 'none'; isShortened: boolean; note: GuardFault | null }
  | { kind: 'answer_proposal' }
  /** Voice notes are written down, until then at the latest. */
  | { kind: 'hear'; notes: readonly VoiceNote[]; until: Date }
  | { kind: 'use'; call: ToolCall }
  /** Not used: the model is told why. */
  | { kind: 'refuse'; call: ToolCall; told: string }
  /** What the model wrote is not sent: it is asked once more, and told why. `clause`: what of it, folded. */
  | { kind: 'repair'; name: string; why: GuardFault; clause: string | null }
  | { kind: 'say'; parts: Parts }
  | { kind: 'say_next'; part: number; parts: Parts }

export function handOver(
  reason: HandoverReason,
  detail: HandoverDetail | null,
  says: HandOverDecision['says'],
): HandOverDecision {
  return { kind: 'hand_over', reason, reasonText: null, detail, says }
}
