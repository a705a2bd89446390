import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './units.ts'

/** The numbers of signing in (docs/decisions/0010). */
export const SIGN_IN_LIMITS = {
  minPasswordChars: 12,
  maxPasswordChars: 128,
  passwordBytes: 1_024,
  maxConcurrentHashes: 3,
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
  /** Time after entering the password in which changes that require a fresh password are accepted. */
  passwordFreshMs: 15 * MINUTE_MS,
  invitationMs: 7 * DAY_MS,
  /** Time within which repeated starts print the same set-up link. */
  setUpTokenMs: DAY_MS,
  invitationMailsPerMinute: 10,
  /** The second factor: six digits of each 30 seconds, of one before and after too (RFC 6238). */
  codeDigits: 6,
  codeMs: 30 * SECOND_MS,
  codeDriftSteps: 1,
  codeSecretBytes: 20,
  /** Length of a typed code with its spaces. */
  codeChars: 64,
  recoveryCodes: 10,
  recoveryCodeBytes: 10,
  /** Time and codes that a sign-in has for its second factor. */
  begunSignInMs: 5 * MINUTE_MS,
  codesPerSignIn: 5,
  wrongCodes: 5,
  passwordResetMs: 30 * MINUTE_MS,
  resetsPerEmail: 3,
  resetsPerAddress: 20,
  tokenBytes: 32,
  /** Length of a token in a request. */
  tokenChars: 200,
  userAgentChars: 200,
} as const
