import type { BroadcastState, SkipReason } from '../vocabulary/broadcasts.ts'
import type { None } from './none.ts'

/** Broadcasts: what stands in their way, and why they pause. */
export type BroadcastFacts = {
  no_such_broadcast: None
  /** It is in a state in which that cannot be done. */
  broadcast_is: { state: BroadcastState }
  /** What it lacks stands beside, by field. */
  broadcast_not_ready: None
  too_many_broadcasts: { most: number }
  opt_out_needed: { template: string }
  opt_out_link_in_ending: None
  broadcast_placeholder_unknown: { placeholder: string }
  broadcast_pace_too_high: { most: number }
  send_at_passed: None
  send_at_too_far: { days: number }
  broadcast_not_over: None
  /** Nobody of it has failed, or the recipients are kept no more. */
  broadcast_none_failed: None
  recipient_skipped: { reason: SkipReason }
  placeholder_empty: { placeholder: string }
  /** Why it has paused by itself. */
  broadcast_refused: { why: object }
  broadcast_failing: { most: number }
  /** The provider's words for what it was when a member let it go, and for what it is. */
  template_recategorised: { template: string; language: string; was: string; is: string }
  broadcast_restored: None
}
