/** The setting that lets a model reason before it answers. */
export const THINKING = ['off', 'on'] as const
export type Thinking = (typeof THINKING)[number]

/** Request fields by which a server switches reasoning off. */
export const THINKING_SWITCHES = ['reasoning_effort', 'thinking_type', 'enable_thinking'] as const
export type ThinkingSwitch = (typeof THINKING_SWITCHES)[number]

/** Protocols of model servers. Spec: Assistant › Models. */
export const MODEL_KINDS = ['openai', 'openai_compatible', 'anthropic'] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

/** Purposes of a model request, by which usage is counted. */
export const MODEL_PURPOSES = ['customer', 'playground', 'suggestion'] as const
export type ModelPurpose = (typeof MODEL_PURPOSES)[number]
