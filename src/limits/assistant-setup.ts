/** The numbers of what a company tells its assistant, each with its unit in the name. All ours. */

/** Spec: Assistant › Settings. */
export const ASSISTANT_SETUP_LIMITS = {
  nameChars: 60,
  profileChars: 4_000,
  guidanceChars: 4_000,
  leadCriteriaChars: 1_000,
  /** Of one sentence to the customer at a handover. */
  textChars: 500,
  gatherMs: 30_000,
  tags: 50,
  readableFields: 20,
} as const

/** What holds until a company says otherwise. Spec: Assistant › Settings. */
export const ASSISTANT_DEFAULTS = { gatherMs: 3_000, qualifyAt: 70 } as const
