/** Tones of the assistant's texts. Spec: Assistant › Settings. */
export const ASSISTANT_TONES = ['friendly', 'formal', 'short'] as const
export type AssistantTone = (typeof ASSISTANT_TONES)[number]

/** States of the assistant: switched off, on without a usable model, or on. */
export const ASSISTANT_STATES = ['off', 'no_model', 'on'] as const
export type AssistantState = (typeof ASSISTANT_STATES)[number]

/** The two handover sentences: within and outside of opening hours. */
export const HANDOVER_TEXTS = ['inHours', 'outOfHours'] as const

/** Details of a handover by code that the reason does not contain. Spec: Assistant › Handover. */
export const HANDOVER_DETAILS = [
  'model_unavailable',
  'allowance_used_up',
  'out_of_time',
  'out_of_requests',
  'too_long',
  'not_fit_to_send',
  'send_refused',
  'outside_service_window',
  'not_sendable',
  'channel_unavailable',
  'not_in_plan',
  'fault',
] as const
export type HandoverDetail = (typeof HANDOVER_DETAILS)[number]

/** States of a reply. Spec: Assistant › Trace. */
export const REPLY_STATES = [
  'gathering',
  'thinking',
  'sending',
  'sent',
  'not_sent',
  'unknown',
  'cancelled',
  'handed_over',
  'failed',
] as const
export type ReplyState = (typeof REPLY_STATES)[number]

/** Filters of the list of replies; `working` are unfinished ones. */
export const REPLY_OUTCOMES = [
  'working',
  'sent',
  'handed_over',
  'not_sent',
  'unknown',
  'cancelled',
  'failed',
] as const satisfies readonly (ReplyState | 'working')[]
export type ReplyOutcome = (typeof REPLY_OUTCOMES)[number]
