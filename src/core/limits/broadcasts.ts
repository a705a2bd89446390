/** The numbers of broadcasts. Source: docs/reference/limits.md, Broadcasts. */
import { DAY_MS, SECOND_MS } from './units.ts'

/**
 * Limits of broadcasts that members meet: drafts, audiences and rates. Spec: Broadcasts › Drafts; Broadcasts ›
 * Sending.
 */
export const BROADCAST_LIMITS = {
  nameChars: 80,
  /** Unfinished broadcasts, drafts included. */
  open: 100,
  /** Contacts of an audience that lists them by id. */
  contacts: 1_000,
  /** Default and maximum rate, in messages a second. */
  perSecond: 10,
  maxPerSecond: 50,
  /** Rate on a number whose owner also uses it in the provider's app. */
  perSecondInCoexistence: 15,
  aheadMs: 366 * DAY_MS,
  /** Failures in a row that pause a broadcast. */
  failuresInRow: 50,
} as const

/** Internal limits of writing, queueing and counting recipients. */
export const BROADCAST_WORK = {
  /** Contacts that one statement reads. */
  page: 5_000,
  /** Recipients of one transaction. */
  batch: 50,
  /** Span of the rate that is queued together, including overdue recipients. */
  batchMs: SECOND_MS / 2,
  /** Span of the rate that may wait in the outbox, so that a slow provider is not flooded. */
  aheadMs: 2 * SECOND_MS,
  /** Pause while no recipient is left to queue but outcomes are pending. */
  idleMs: SECOND_MS,
  countEveryMs: 2 * SECOND_MS,
  /** Time after a pause or the end during which receipts are counted, at growing intervals. */
  countAfterMs: 3 * DAY_MS,
  minRecountMs: 10 * SECOND_MS,
  jobsPerPass: 50,
  retryMs: 5 * SECOND_MS,
} as const
