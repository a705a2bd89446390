/** The limits of the overview pages, each with its unit in the name. */

/** Limits of a company's home page. */
export const HOME_LIMITS = {
  waitingShown: 5,
  runHours: 24,
  runsCounted: 10_000,
  /** Minutes of a day after which its usage is extrapolated to the rest of the day. */
  paceAfterMinutes: 30,
} as const
