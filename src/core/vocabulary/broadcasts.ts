/** The states of a broadcast. Spec: States › Broadcast. */
export const BROADCAST_STATES = [
  'draft',
  'scheduled',
  'preparing',
  'sending',
  'paused',
  'done',
  'cancelled',
] as const
export type BroadcastState = (typeof BROADCAST_STATES)[number]

/** Reasons why a recipient of a broadcast is skipped. Spec: Broadcasts › Sending. */
export const SKIP_REASONS = [
  'opted_out',
  'marketing_stopped',
  'no_number',
  'same_number',
  'value_missing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Outcomes of a recipient: pending, skipped, or the status of the message. */
export const RECIPIENT_OUTCOMES = [
  'pending',
  'skipped',
  'queued',
  'sending',
  'unknown',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
] as const
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number]
