/** How the assistant words what it says. Spec: Assistant › Settings. */
export const ASSISTANT_TONES = ['friendly', 'formal', 'short'] as const
export type AssistantTone = (typeof ASSISTANT_TONES)[number]

/** Whether it answers: switched off, on but without a model that can be asked, or on. */
export const ASSISTANT_STATES = ['off', 'no_model', 'on'] as const
export type AssistantState = (typeof ASSISTANT_STATES)[number]

/** Why the customer is told a sentence of a handover: the shop is open, or closed. */
export const HANDOVER_TEXTS = ['inHours', 'outOfHours'] as const

/** Why code handed a conversation over, where the reason says less. Spec: Assistant › Handover. */
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

/** How far a reply is, or how it ended. Spec: Assistant › Trace. */
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

/** By which a list of replies is narrowed; `working` are those that go on. */
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
