/** The numbers of files, each with its unit in the name. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Ours: what a file may be, and how long one is kept that nobody sends. */
export const FILE_LIMITS = {
  bytes: 16 * 1_048_576,
  nameChars: 200,
  /** Of all that the members of an account have uploaded and that is kept. */
  uploadedBytesOfAccount: 2_048 * 1_048_576,
  unsentKeptMs: DAY_MS,
  /** The largest upload, a list of contacts, at the least speed of a body that is read, and some more. */
  uploadRequestMs: 22 * MINUTE_MS,
  /** An upload whose bytes have not come by then never will. */
  uploadMs: 10 * MINUTE_MS,
} as const

/** Ours: how what customers send is fetched, and what is dropped is deleted. */
export const FILE_ENGINE = {
  /** Files in the memory of one process, and of one company of them. */
  atOnce: 6,
  atOncePerAccount: 3,
  companiesPerClaim: 32,
  leaseMs: 3 * MINUTE_MS,
  /** For one file, from the question where it is to its last byte. */
  fetchMs: MINUTE_MS,
  /** To give one to a provider. */
  uploadMs: 30 * SECOND_MS,
  /** After try n (1-based) failed, try n+1 is due this long after. A provider keeps a file for a week. */
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

/** Ours: the store at the operator's. */
export const STORE_LIMITS = {
  answerMs: 60 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  connections: 32,
  answerBytes: 65_536,
} as const
