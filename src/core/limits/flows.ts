/** The numbers of flows and their runs, each with its unit in the name. */
import { SECOND_MS, MINUTE_MS } from './units.ts'

/** Ours: what keeps a flow's design readable. */
export const FLOW_LIMITS = {
  nameChars: 80,
  steps: 200,
  /** Of a company, that are read to tell which templates they send. */
  flowsLookedThrough: 500,
  /** What a step says, with its placeholders; what a condition compares with. */
  textChars: 4_096,
  comparedChars: 1_000,
  /** Of the published version, the latest, whose steps are counted; and lines of the history of one run. */
  runsCounted: 5_000,
  linesCounted: 100,
  /** A wait of a flow, for a reply or for a time: 30 days. */
  waitMinutes: 30 * 24 * 60,
  /** Free times of a day that a step offers together: two more options lead on. */
  timesOffered: 8,
  /** Days ahead that are looked through for a free time. */
  timesLookDays: 60,
  /** Of a question: its options, times that it may be asked again, what an option holds. */
  options: 10,
  retries: 5,
  optionChars: 100,
  /** Of an answer that may be a day, once it is folded. */
  dayChars: 60,
  /** Of a branch step: its ways, and the conditions of one. */
  branches: 10,
  conditions: 10,
  tagsOfStep: 10,
  noteChars: 4_000,
  /** Words of a keyword trigger. */
  keywords: 20,
  keywordChars: 100,
  /** One sign may stand for a whole sentence: an index takes no keyword of any length. */
  keywordFoldedChars: 300,
  /** Different words of one message that are looked for among keywords. */
  keywordsLookedFor: 256,
} as const

/** Ours: what keeps a run from running away. Beyond one: `limit_exceeded`. */
export const RUN_LIMITS = {
  stepsBetweenWaits: 100,
  waits: 500,
  leaseMs: 60 * SECOND_MS,
  /** Runs that one process takes on at the same time. */
  atOnce: 128,
  /** Of one account that are taken on in memory, right after the commit that made them due. */
  handedOverPerAccount: 32,
  /** Companies with queued runs that one claim looks at; the next goes on from there. */
  companiesPerClaim: 64,
  /** The oldest of those that wait no more that one claim shares out among accounts. */
  wokenLookedAt: 1_024,
  /** The table is asked for due runs no more often than this. */
  claimEveryMs: 20,
  /** Turns that are taken together, and batches of them under way. */
  inBatch: 128,
  batchesAtOnce: 2,
  /** A batch waits no longer for a lock; a turn by itself may. */
  batchLockMs: SECOND_MS,
  lockMs: 10 * SECOND_MS,
  /** A run whose conversation somebody else holds is looked at again after this. */
  lateMs: 20,
  /** Replies kept for a run that one turn reads. */
  repliesInTurn: 50,
  /** A run whose turn cannot be taken waits for these, one after the other; then it has failed. */
  faultDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  /** Runs that wait for the merchant's API meanwhile: in one process, and of one account (the sockets to a host). */
  callsAtOnce: 256,
  callsAtOncePerAccount: 32,
  /** Who comes back from a call waits no longer for a place: its lease would end, and the answer be lost. */
  placeWaitMs: 10 * SECOND_MS,
  variables: 100,
  variableChars: 4_096,
  /** A send whose answer was lost waits this long for a status that names it. */
  unknownSendMs: 10 * MINUTE_MS,
  /** Runs of a deleted flow that one statement ends. */
  endedAtOnce: 500,
  deletedFlowsAtOnce: 20,
  /** A send that the provider refuses for now is tried again after these, then the run fails. */
  sendRetryDelaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
} as const
