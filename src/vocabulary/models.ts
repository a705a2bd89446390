/** How a model's server is spoken to. Spec: Assistant › Models. */
export const MODEL_KINDS = ['openai', 'openai_compatible', 'anthropic'] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

/** What a model was asked for, as its use is counted. */
export const MODEL_PURPOSES = ['customer', 'playground', 'suggestion'] as const
export type ModelPurpose = (typeof MODEL_PURPOSES)[number]
