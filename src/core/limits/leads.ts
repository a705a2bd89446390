/** The numbers of leads. Spec: Leads › Fields. */
export const LEAD_LIMITS = {
  maxScore: 100,
  summaryChars: 2_000,
  lostReasonChars: 500,
  /** Counts of the lists stop here. */
  maxCounted: 1_000,
} as const
