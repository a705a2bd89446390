import { MINUTE_MS, HOUR_MS, DAY_MS } from '../limits/units.ts'

/** Ours: signing in (docs/decisions/0010). */
export const SIGN_IN_LIMITS = {
  passwordLeastChars: 12,
  passwordMostChars: 128,
  passwordBytes: 1_024,
  hashesAtOnce: 3,
  hashesWaiting: 100,
  failuresPerEmail: 5,
  failuresPerAddress: 20,
  failuresPerSession: 5,
  failuresPerDevice: 5,
  failuresWithinMs: 15 * MINUTE_MS,
  deviceMs: 180 * DAY_MS,
  devicesPerPerson: 20,
  peoplePerEmail: 5,
  sessionIdleMs: 12 * HOUR_MS,
  sessionMs: 7 * DAY_MS,
  /** A session that is used is written to the database at most this often. */
  sessionSeenEveryMs: MINUTE_MS,
  /** Changes that need the password entered lately. */
  passwordFreshMs: 15 * MINUTE_MS,
  invitationMs: 7 * DAY_MS,
  invitationMailsPerMinute: 10,
  tokenBytes: 32,
  userAgentChars: 200,
} as const
