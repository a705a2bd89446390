/** The numbers of the assistant, each with its unit in the name. */

/** Ours: a text longer than this, in UTF-16 units, says more than yes or no. */
export const AGREEMENT_LIMITS = { textUnits: 500 } as const

/** Ours: a longer message has more in it than the wish for a person, and the model reads it. */
export const PERSON_REQUEST_LIMITS = { textChars: 160 } as const

/** Spec: Assistant › Long replies. */
export const PART_LIMITS = {
  parts: 3,
  /** Where each message waits for the one before. */
  partsWhereSendsWait: 1,
  /** Ours: a part that would be less of what a message holds is no reason to cut at a better place. */
  leastShare: 1 / 4,
} as const
