/** The numbers of the assistant, each with its unit in the name. */

/** Ours: a text longer than this, in UTF-16 units, says more than yes or no. */
export const AGREEMENT_LIMITS = { textUnits: 500 } as const
