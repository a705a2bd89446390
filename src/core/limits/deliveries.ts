/** The numbers of deliveries and of their log, each with its unit in the name. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './units.ts'

/**
 * Limits of endpoints, of deliveries to them and of their retries. Spec: Limits › Deliveries; Deliveries › Retries.
 */
export const DELIVERY_LIMITS = {
  endpointsPerCompany: 10,
  urlChars: 500,
  nameChars: 80,
  answerMs: 10 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  attempts: 8,
  /** Delays between attempts: attempt n+1 is due this long after the end of the failed attempt n (1-based). */
  retryDelaysMs: [
    1 * MINUTE_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
    24 * HOUR_MS,
  ],
  bodyBytes: 65_536,
  messageTextChars: 4_096,
  answerKeptBytes: 2_048,
  switchOffAfterFailuresInRow: 100,
  switchOffAfterFailingMs: 3 * DAY_MS,
  /** The owner is warned before the endpoint is switched off (reading D11). */
  warnAfterFailuresInRow: 50,
  warnAfterFailingMs: DAY_MS,
  testsAndResendsPerMinute: 10,
  secretOverlapMs: 24 * HOUR_MS,
  secretsThatSign: 2,
  signatureToleranceMs: 5 * MINUTE_MS,
} as const

/** Internal limits by which the delivery engine shares its work (docs/decisions/0013). */
export const DELIVERY_ENGINE = {
  inFlightPerEndpoint: 8,
  inFlightPerAccount: 32,
  /** Slots of one process by queue: the backlog of one queue never takes another queue's slots. */
  inFlight: { first: 320, retry: 160, test: 32 },
  /** Maximum of eagerly dispatched deliveries in memory, and of the approximate size of their bodies. */
  eagerDeliveries: 4_000,
  eagerBytes: 16_777_216,
  /** Slots of first attempts for eagerly dispatched deliveries: the rest is for claimed ones. */
  inFlightEager: 256,
  /** Deliveries whose requests start in a row before the event loop continues. */
  begunInARow: 16,
  /** Lifetime of cached endpoint data, unless this process is notified of a change. */
  endpointKnownMs: 250,
  /** Longest wait in memory before a delivery is released: its lease must outlast an attempt. */
  eagerWaitMs: 15 * SECOND_MS,
  /** Deliveries per queue that the first claim takes while no delivery is in progress. */
  firstClaim: 32,
  /** Shortest interval between claims. */
  claimEveryMs: 20,
  /** Failures in a row after which an endpoint has one slot until it succeeds. */
  oneSlotAfterFailuresInRow: 10,
  /** Endpoints per queue that one claim reads, depending on its free slots; the next claim continues after them. */
  endpointsPerClaim: 128,
  minEndpointsPerClaim: 32,
  leaseMs: 30 * SECOND_MS,
  /** Outcomes that one statement writes. */
  outcomesPerBatch: 64,
  /** Concurrent writes of outcomes by one process, so that a lock delays only one of them. */
  maxConcurrentBatches: 2,
  /** Unwritten outcomes above which attempts keep their slots until they are recorded. */
  maxUnwrittenOutcomes: 256,
  /** Signing secrets that one process caches decrypted. */
  secretsRemembered: 1_000,
  /** Deliveries that one statement enqueues, holds or cancels. */
  readyBatch: 500,
  /** Deliveries cancelled in the transaction that deletes their endpoint; the rest follows in batches. */
  cancelledPerBatch: 10_000,
  /** Period in which endpoints that were switched off or deleted are checked for waiting deliveries. */
  lateChangesMs: HOUR_MS,
} as const

/** Internal limits of the queries behind `/metrics` and the readiness check. */
export const METRICS_LIMITS = {
  /** Waiting deliveries are counted up to these many: per queue of an endpoint, and in all. */
  ofEndpoint: 10_000,
  inAll: 100_000,
  /** Time limit of one query, and of the readiness check. */
  withinMs: 1 * SECOND_MS,
  /** Time for which an answer of the readiness check is used again. */
  readyKeptMs: 1 * SECOND_MS,
} as const

/** Internal limits of the graph of an endpoint's health. */
export const HEALTH_GRAPH = {
  hoursDefault: 48,
  maxHours: 7 * 24,
  /** The list of endpoints shows one day of each. */
  listHours: 24,
  /** Newest deliveries from which answer times and causes are computed. */
  sampledDeliveries: 2_000,
  causesShown: 20,
  /** Deliveries that wait are counted up to this many. */
  maxCount: 10_000,
} as const

/** Internal limits of searching the delivery log and showing an endpoint's answer. */
export const LOG_LIMITS = {
  conversationIdChars: 1_500,
  /** Rows that one page reads for filters without an index. */
  scannedRows: 5_000,
  /** Events that one page reads for a conversation, contact, run or rare type. */
  scannedEvents: 1_000,
  /** Deliveries are counted up to this many, by filter and by view. */
  maxCounted: 10_000,
  /** Duration from which an attempt counts as slow: half of the answer timeout. Its index repeats the number. */
  slowMs: 5 * SECOND_MS,
  /** Rows that an export reads at a time, and its total. */
  exportPage: 500,
  maxExported: 100_000,
  phoneChars: 64,
  /** Range of HTTP statuses that a filter accepts: all that a response can have. */
  minStatus: 100,
  maxStatus: 999,
  resendsShown: 50,
  attemptsShown: 50,
  /** Time after which a test is answered even if its attempt is still in progress. */
  testWaitMs: 12 * SECOND_MS,
} as const

/** Internal limits of resend jobs; rates are deliveries per second. Spec: Deliveries › Tests and resends. */
export const RESEND_JOB = {
  minPace: 1,
  paceDefault: 10,
  maxPace: 50,
  stepMs: SECOND_MS,
  /** Deliveries that one page reads to find those that match. */
  scannedRows: 2_000,
  /** Counts stop at this number, and read no more rows. */
  maxCounted: 10_000,
  countScannedRows: 10_000,
  maxProgressCounted: 20_000,
  /** Jobs that one pass of a node processes; a failed page is retried after `retryMs`. */
  jobsPerPass: 20,
  retryMs: 30 * SECOND_MS,
} as const

/** Internal limits of the delivery log's change stream. */
export const LIVE_LIMITS = {
  pollEveryMs: 250,
  /** Time after which a watcher is ready, even while a transaction is open whose changes may not be recorded. */
  readyAfterMs: SECOND_MS,
  heartbeatMs: 15 * SECOND_MS,
  /** Retention of changes after the last watcher has disconnected, for one that reconnects. */
  keptMs: 5 * MINUTE_MS,
  watchersPerAccount: 20,
  /** A browser has six connections to a host over HTTP/1.1; one stays free for requests. */
  watchersPerSession: 5,
  /** Length of the last position that a client sends. */
  positionChars: 100,
  /** Companies of an account that one stream covers. */
  companiesPerStream: 50,
  watchersInAll: 500,
  /** Changes in one poll above which the watcher has to reload the log. */
  changesPerPoll: 500,
  /** A reader that leaves more than this unread is dropped. */
  unreadBytes: 262_144,
} as const
