/** The numbers of broadcasts. Source: docs/reference/limits.md, Broadcasts. */
import { DAY_MS, SECOND_MS } from './units.ts'

/** Spec: Broadcasts › Drafts; Broadcasts › Sending. */
export const BROADCAST_LIMITS = {
  nameChars: 80,
  /** That are not over, drafts among them. */
  open: 100,
  /** Named by their ids. */
  contacts: 1_000,
  perSecond: 10,
  perSecondMost: 50,
  /** On a number whose owner uses it in the provider's app too. */
  perSecondInCoexistence: 15,
  aheadMs: 366 * DAY_MS,
  /** Failures in a row that pause it. */
  failuresInRow: 50,
} as const

/** Ours: how recipients are written down, handed over and counted. */
export const BROADCAST_WORK = {
  /** Contacts that one statement looks at. */
  page: 5_000,
  /** Recipients of one transaction. */
  batch: 50,
  /** So much of the pace goes together, and what came late with it. */
  batchMs: SECOND_MS / 2,
  /** So much of the pace may wait in the outbox: a provider that is slow is not flooded. */
  aheadMs: 2 * SECOND_MS,
  /** While there is nothing to hand over and something still waits for its outcome. */
  idleMs: SECOND_MS,
  countEveryMs: 2 * SECOND_MS,
  /** After a pause and the end receipts are counted for so long, less and less often. */
  countAfterMs: 3 * DAY_MS,
  countAfterLeastMs: 10 * SECOND_MS,
  jobsAtOnce: 50,
  afterFaultMs: 5 * SECOND_MS,
} as const
