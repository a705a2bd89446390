/** How the assistant words what it says. Spec: Assistant › Settings. */
export const ASSISTANT_TONES = ['friendly', 'formal', 'short'] as const
export type AssistantTone = (typeof ASSISTANT_TONES)[number]

/** Whether it answers: switched off, on but without a model that can be asked, or on. */
export const ASSISTANT_STATES = ['off', 'no_model', 'on'] as const
export type AssistantState = (typeof ASSISTANT_STATES)[number]

/** Why the customer is told a sentence of a handover: the shop is open, or closed. */
export const HANDOVER_TEXTS = ['inHours', 'outOfHours'] as const
export type HandoverText = (typeof HANDOVER_TEXTS)[number]
