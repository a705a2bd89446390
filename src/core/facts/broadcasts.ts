import type { BroadcastState, SkipReason } from '../vocabulary/broadcasts.ts'
import type { None } from './none.ts'

/** Reasons why a broadcast cannot be sent or changed, and why it pauses. */
export type BroadcastFacts = {
  no_such_broadcast: None
  /** The broadcast's state does not allow the action. */
  broadcast_is: { state: BroadcastState }
  /** The broadcast is incomplete; the field errors name what is missing. */
  broadcast_not_ready: None
  too_many_broadcasts: { max: number }
  opt_out_needed: { template: string }
  opt_out_link_in_ending: None
  broadcast_placeholder_unknown: { placeholder: string }
  broadcast_pace_too_high: { max: number }
  send_at_passed: None
  send_at_too_far: { days: number }
  broadcast_not_over: None
  /** No recipient failed, or the recipients are no longer stored. */
  broadcast_none_failed: None
  recipient_skipped: { reason: SkipReason }
  placeholder_empty: { placeholder: string }
  /** The provider's refusal that paused the broadcast. */
  broadcast_refused: { why: object }
  broadcast_failing: { max: number }
  /** The provider's categories: when a member started the broadcast, and now. */
  template_recategorised: { template: string; language: string; was: string; is: string }
  broadcast_restored: None
}
