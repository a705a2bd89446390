/** The numbers of files, each with its unit in the name. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Limits of files, and the retention of files that are never sent. */
export const FILE_LIMITS = {
  bytes: 16 * 1_048_576,
  nameChars: 200,
  /** Total size of the files that an account's members uploaded and that are stored. */
  uploadedBytesOfAccount: 2_048 * 1_048_576,
  unsentKeptMs: DAY_MS,
  /** Time for the largest upload, a file of contacts, at the lowest accepted speed. */
  uploadRequestMs: 22 * MINUTE_MS,
  /** Time after which an upload without all of its bytes counts as failed. */
  uploadMs: 10 * MINUTE_MS,
} as const

/** Internal limits of downloading customers' files and deleting unused ones. */
export const FILE_ENGINE = {
  /** Files in the memory of one process, and of one company of them. */
  maxConcurrent: 6,
  maxConcurrentPerAccount: 3,
  companiesPerClaim: 32,
  leaseMs: 3 * MINUTE_MS,
  /** Time for one file, from the request for its URL to its last byte. */
  fetchMs: MINUTE_MS,
  /** Time to upload one file to a provider. */
  uploadMs: 30 * SECOND_MS,
  /**
   * Delays between attempts: attempt n+1 is due this long after attempt n (1-based). Providers keep a file for a
   * week.
   */
  retryDelaysMs: [
    10 * SECOND_MS,
    MINUTE_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    12 * HOUR_MS,
    DAY_MS,
    2 * DAY_MS,
  ],
} as const

/** Internal limits of the operator's object store. */
export const STORE_LIMITS = {
  answerMs: 60 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  connections: 32,
  answerBytes: 65_536,
} as const
