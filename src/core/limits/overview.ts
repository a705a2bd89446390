/** The numbers of what is told of several things at once, each with its unit in the name. */

/** Ours: what the first page of a company looks at. */
export const HOME_LIMITS = {
  waitingShown: 5,
  /** Channels that are not connected. */
  channelsShown: 20,
  runHours: 24,
  runsCounted: 10_000,
  /** Less of a day says nothing of its rest. */
  paceAfterMinutes: 30,
} as const
