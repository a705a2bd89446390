/** The numbers of flows and their runs, each with its unit in the name. */
import { SECOND_MS, MINUTE_MS } from './units.ts'

/**
 * Limits of a flow's design (numbers of steps, options and words, lengths of texts), and of how much is read or
 * compared for a flow.
 */
export const FLOW_LIMITS = {
  nameChars: 80,
  /** Flows of a company, drafts and flows that are off included. */
  perCompany: 500,
  steps: 200,
  /** Length of a step's text with its placeholders, and of a condition's operand. */
  textChars: 4_096,
  comparedChars: 1_000,
  /** Newest runs of the published version whose steps are counted, and history lines of one run. */
  runsCounted: 5_000,
  linesCounted: 100,
  /** A wait of a flow, for a reply or for a time: 30 days. */
  waitMinutes: 30 * 24 * 60,
  /** Free times of a day that a step offers together: two more options lead on. */
  timesOffered: 8,
  /** Days ahead that are searched for a free time. */
  timesLookDays: 60,
  /** Options of a question, repetitions of the question, and the length of an option. */
  options: 10,
  retries: 5,
  optionChars: 100,
  /** Length of an answer that may name a day, after folding. */
  dayChars: 60,
  /** Branches of a branch step, and conditions of one branch. */
  branches: 10,
  conditions: 10,
  tagsOfStep: 10,
  noteChars: 4_000,
  /** Words of a keyword trigger. */
  keywords: 20,
  keywordChars: 100,
  /** One sign may stand for a whole sentence: an index takes no keyword of any length. */
  keywordFoldedChars: 300,
  /** Different words of one message that are compared with keywords. */
  keywordsLookedFor: 256,
} as const

/**
 * Limits and delays of runs: how many run and call concurrently, batch sizes, lock timeouts, retry delays, and the
 * variables that a run keeps. Only `stepsBetweenWaits` and `waits` end a run as `limit_exceeded`.
 */
export const RUN_LIMITS = {
  stepsBetweenWaits: 100,
  waits: 500,
  leaseMs: 60 * SECOND_MS,
  /** Runs that one process advances concurrently. */
  maxConcurrent: 128,
  /** Runs of one account that are dispatched in memory after the commit that made them due. */
  eagerPerAccount: 32,
  /** Companies with queued runs that one claim reads; the next claim continues after them. */
  companiesPerClaim: 64,
  /** Resumed runs, the oldest first, that one claim shares out among accounts. */
  wokenLookedAt: 1_024,
  /** Shortest interval between claims of runs. */
  claimEveryMs: 20,
  /** Runs that are advanced in one batch, and batches in progress. */
  inBatch: 128,
  maxConcurrentBatches: 2,
  /** Lock timeout of a batch; an advance of a single run may wait longer. */
  batchLockMs: SECOND_MS,
  lockMs: 10 * SECOND_MS,
  /** Delay before a run whose conversation is locked is tried again. */
  lockedRetryMs: 20,
  /** Stored replies of the customer that one advance reads. */
  repliesPerAdvance: 50,
  /** Delays of a run whose advance fails, one after the other; after the last one the run fails. */
  retryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  /** Concurrent calls to merchants' APIs: of one process, and of one account (the sockets to a host). */
  maxConcurrentCalls: 256,
  maxConcurrentCallsPerAccount: 32,
  /** Longest wait for a slot after a call: the lease must not end, or the call's result would be lost. */
  slotWaitMs: 10 * SECOND_MS,
  variables: 100,
  variableChars: 4_096,
  /** Wait for a status after the answer to a send was lost. */
  unknownSendMs: 10 * MINUTE_MS,
  /** Runs of a deleted flow that one statement ends. */
  endedPerBatch: 500,
  deletedFlowsPerBatch: 20,
  /** A send that the provider refuses for now is tried again after these, then the run fails. */
  sendRetryDelaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
} as const
