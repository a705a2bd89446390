/** Spec: States › Broadcast. */
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

/** Why a recipient of a broadcast is not written to. Spec: Broadcasts › Sending. */
export const SKIP_REASONS = [
  'opted_out',
  'marketing_stopped',
  'no_number',
  'same_number',
  'value_missing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** What became of a recipient: not written to yet, skipped, or the status of the message. */
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
