/** Whether a model may reason before it answers. */
export const THINKING = ['off', 'on'] as const
export type Thinking = (typeof THINKING)[number]

/** By which member of a request a server is told to answer without reasoning. */
export const THINKING_SWITCHES = ['reasoning_effort', 'thinking_type', 'enable_thinking'] as const
export type ThinkingSwitch = (typeof THINKING_SWITCHES)[number]

/** How a model's server is spoken to. Spec: Assistant › Models. */
export const MODEL_KINDS = ['openai', 'openai_compatible', 'anthropic'] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

/** What a model was asked for, as its use is counted. */
export const MODEL_PURPOSES = ['customer', 'playground', 'suggestion'] as const
export type ModelPurpose = (typeof MODEL_PURPOSES)[number]
