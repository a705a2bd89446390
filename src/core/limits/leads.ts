/** The numbers of leads. Spec: Leads › Fields. */
export const LEAD_LIMITS = {
  scoreMost: 100,
  summaryChars: 2_000,
  lostReasonChars: 500,
  /** Counts of the lists stop here. */
  countedMost: 1_000,
} as const
