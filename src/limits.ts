/**
 * Every number of the reference, once, with its unit in the name. None is configurable: tests move the
 * clock instead. A test holds the tables of docs/reference/limits.md to this file.
 */
import type { Plan } from './vocabulary.ts'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Ours: how far ahead what was counted may lie; further, it is from before a clock was put back. */
export const CLOCK_SKEW_MS = 60 * SECOND_MS

/** Spec: Limits › Hooks; Hooks › Last request. */
export const HOOK_LIMITS = {
  bodyBytes: 65_536,
  idempotencyKeyChars: 200,
  requestsPerUrlPerMinute: 60,
  requestsPerCompanyPerHour: 1_000,
  requestsPerAddressPerMinute: 120,
  urlsPerCompany: 20,
  pathChars: 200,
  pathSteps: 12,
  nameChars: 200,
  keptValues: 10,
  keptValueChars: 1_000,
  shapeListItems: 3,
  shapeStringChars: 200,
  shapeKeptMs: 30 * DAY_MS,
  /** Ours: a request that dribbles in is ended. */
  headersMs: 10 * SECOND_MS,
  requestMs: 15 * SECOND_MS,
} as const

/** Spec: Limits › Deliveries; Deliveries › Retries. */
export const DELIVERY_LIMITS = {
  endpointsPerCompany: 10,
  urlChars: 500,
  nameChars: 80,
  answerMs: 10 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  attempts: 8,
  /** After attempt n (1-based) failed, attempt n+1 is due this long after its end. */
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
  /** Ours: the owner is warned before that (reading D11). */
  warnAfterFailuresInRow: 50,
  warnAfterFailingMs: DAY_MS,
  testsAndResendsPerMinute: 10,
  secretOverlapMs: 24 * HOUR_MS,
  secretsThatSign: 2,
  signatureToleranceMs: 5 * MINUTE_MS,
} as const

/** Ours: how the delivery engine shares its work (docs/decisions/0013). */
export const DELIVERY_ENGINE = {
  inFlightPerEndpoint: 8,
  inFlightPerCompany: 32,
  /** Of one process, by lane: a backlog of one never takes the places of another. */
  inFlight: { first: 320, again: 160, test: 32 },
  /** After so many failures in a row an endpoint has one place, until it succeeds. */
  onePlaceAfterFailuresInRow: 10,
  /** Endpoints of a lane that one claim looks at; the next goes on from there. */
  endpointsPerClaim: 128,
  leaseMs: 30 * SECOND_MS,
  settleBatch: 64,
  settleWithinMs: 2,
  /** Writes of outcomes by one process: one that waits for a lock does not hold up the next. */
  settlesAtOnce: 2,
  /** While the database is away the outcome is written again, within the lease of its claim. */
  settleAgainMs: 250,
  settleAgainTimes: 80,
  /** Deliveries that one statement makes ready, holds or cancels. */
  readyBatch: 500,
  /** In the transaction that deletes their endpoint; the rest follows in batches. */
  cancelledAtOnce: 10_000,
  /** Endpoints that went off or were deleted this lately are looked at for what still waits. */
  lateChangesMs: HOUR_MS,
} as const

/** Ours: how soon a node that died is noticed by the others (docs/decisions/0029). */
export const NODE_WATCH = {
  /** While another node has something claimed, and while none has. */
  everyMs: 500,
  idleEveryMs: 2 * SECOND_MS,
  /** However often the node is woken. */
  leastMs: 250,
  /** A node that lost its connection takes it again within this. */
  graceMs: 1_500,
  /**
   * The same where the node that looks has been away itself: then the database was, and others may
   * still try a connection that nobody answers, and pause before the next.
   */
  graceAfterAbsenceMs: 5_000,
} as const

/** Ours: how far what waits is counted for `/metrics`, and how long that may take. */
export const MEASURE = {
  ofEndpoint: 10_000,
  inAll: 100_000,
  withinMs: 1 * SECOND_MS,
  readyKeptMs: 1 * SECOND_MS,
} as const

/** Ours: how far the dashboard looks at an endpoint's health. */
export const HEALTH_GRAPH = {
  hoursDefault: 48,
  hoursMost: 7 * 24,
  /** Deliveries that wait are counted up to this many. */
  countMost: 10_000,
} as const

/** Ours: the e-mails that notices are told by. */
export const MAIL_LIMITS = {
  /** For one e-mail, from opening the connection to the server's last answer. */
  sendMs: 15 * SECOND_MS,
  /** How long the server may be silent. */
  silentMs: 10 * SECOND_MS,
  /** Nobody else takes on a notice whose e-mail is being sent. */
  leaseMs: 2 * MINUTE_MS,
  atOnce: 4,
  /** After a failed one; then it is given up, about a day after the first. */
  retryDelaysMs: [1, 5, 30, 2 * 60, 6 * 60, 15 * 60].map((minutes) => minutes * MINUTE_MS),
  recipients: 50,
} as const

/** Ours: how secrets are encrypted anew with another key. */
export const REENCRYPT = { rowsPerStatement: 200 } as const

/** Ours: how many values of a table a key may fail to open before the start takes it for the wrong one. */
export const KEY_CHECK = { valuesTried: 10 } as const

/** Ours: how the delivery log is searched, and what it shows of a stranger's answer. */
export const LOG_LIMITS = {
  conversationIdChars: 1_500,
  /** Rows that one page looks at for filters without an index of their own. */
  scannedRows: 5_000,
  /** Of a conversation, contact, run or type: events that one page looks at. */
  scannedEvents: 1_000,
  resendsShown: 50,
  attemptsShown: 50,
  /** A test is answered after this long even if its attempt is still under way. */
  testWaitMs: 12 * SECOND_MS,
} as const

/** Ours: resends as a job, in deliveries a second (docs/decisions/0015). */
export const RESEND_JOB = {
  paceLeast: 1,
  paceDefault: 10,
  paceMost: 50,
  stepMs: SECOND_MS,
  /** Deliveries that one step looks at to find those that it means. */
  scannedRows: 2_000,
  /** Counts go no further than this, and look at no more rows. */
  countedMost: 10_000,
  countScannedRows: 10_000,
  progressCountedMost: 20_000,
  /** Jobs of one turn of a node; a step that fails is tried again after a while. */
  jobsAtOnce: 20,
  afterFaultMs: 30 * SECOND_MS,
} as const

/** Ours: the stream of changes of the delivery log. */
export const LIVE_LIMITS = {
  pollEveryMs: 250,
  heartbeatMs: 15 * SECOND_MS,
  /** Changes are kept for this long after the last watcher has gone, for one that comes back. */
  keptMs: 5 * MINUTE_MS,
  watchersPerAccount: 20,
  watchersInAll: 500,
  /** More changes than this in one poll: the watcher is told to read the log again. */
  changesPerPoll: 500,
  /** A reader that leaves more than this unread is dropped. */
  unreadBytes: 262_144,
} as const

/**
 * Ours: connections to merchants that a process has open. Many merchants may share one host, such as
 * an automation platform's.
 */
export const OUTBOUND_SOCKETS = {
  deliveries: { maxSocketsPerHost: 256, maxSocketsTotal: 512 },
  calls: { maxSocketsPerHost: 64, maxSocketsTotal: 256 },
} as const

/** Spec: Limits › Calls. */
export const CALL_LIMITS = {
  connectionsPerCompany: 10,
  baseUrlChars: 500,
  nameChars: 80,
  credentialChars: 4_096,
  defaultHeaders: 10,
  testsPerMinute: 10,
  timeoutMinMs: 1 * SECOND_MS,
  timeoutMaxMs: 15 * SECOND_MS,
  timeoutDefaultMs: 10 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  inOneGo: 3,
  inOneGoMs: 30 * SECOND_MS,
  perAccountPerDay: 10_000,
  bodyBytes: 65_536,
  pathAndQueryChars: 4_096,
  answerBytes: 262_144,
  queryParameters: 10,
  headers: 10,
  keptValues: 10,
  /** Ours: what of an answer a person is shown, and how long one header may come out. */
  answerShownChars: 2_000,
  headerValueChars: 8_192,
  keyNameChars: 100,
  /** Ours: calls that begin, or end, in one statement. */
  inOneStatement: 64,
} as const

/** Spec: Limits › AI actions. */
export const ACTION_LIMITS = {
  perCompany: 20,
  callsPerReply: 3,
  callsPerCustomerPerDay: 60,
  parameters: 8,
  valueChars: 500,
  toolNameChars: 40,
  descriptionChars: 500,
  confirmationMs: 15 * MINUTE_MS,
  /** Ours: what keeps an action and its answer readable for the assistant. */
  parameterNameChars: 40,
  parameterDescriptionChars: 300,
  choices: 20,
  shownFields: 10,
  labelChars: 80,
  answerChars: 2_000,
} as const

/** Spec: Concepts › Service window. */
export const MESSAGING_LIMITS = {
  serviceWindowMs: 24 * HOUR_MS,
  /** Ours: no provider told of anything before this time, in ms since 1970: the year 2000. */
  earliestMs: 30 * 365.25 * DAY_MS,
} as const

/** Spec: Flows › Automated templates. */
export const TEMPLATE_LIMITS = {
  perCustomer: 3,
  perCustomerMs: 24 * HOUR_MS,
  recordKeptMs: 30 * DAY_MS,
} as const

/** Spec: Concepts › Plans. */
export const PLAN_LIMITS: Record<
  Plan,
  { developer: boolean; automations: boolean; flows: number; templatesPerDay: number }
> = {
  free: { developer: false, automations: false, flows: 0, templatesPerDay: 0 },
  starter: { developer: false, automations: false, flows: 0, templatesPerDay: 0 },
  pro: { developer: false, automations: true, flows: 5, templatesPerDay: 0 },
  business: { developer: true, automations: true, flows: 25, templatesPerDay: 1_000 },
}

/** Ours: what a member types to connect a channel, and how often its templates are read. */
export const CHANNEL_LIMITS = {
  nameChars: 80,
  accessTokenChars: 2_000,
  appSecretChars: 200,
  verifyTokenLeastChars: 8,
  verifyTokenChars: 200,
  templatesEveryMs: HOUR_MS,
  /** Up to this much later, so that channels connected together do not stay together. */
  templatesSpreadMs: 6 * MINUTE_MS,
  /** Channels whose templates one process reads at the same time. */
  templatesAtOnce: 4,
  /** How long the owner's reply from the provider's app keeps flows and assistant out. */
  takeOverHoursLeast: 1,
  takeOverHoursMost: 168,
  hashedInOneStatement: 200,
} as const

/** Ours: what keeps a flow's design readable. */
export const FLOW_LIMITS = {
  nameChars: 80,
  steps: 200,
} as const

/** Ours: what keeps a run from running away. Beyond one: `limit_exceeded`. */
export const RUN_LIMITS = {
  stepsBetweenWaits: 100,
  waits: 500,
  leaseMs: 60 * SECOND_MS,
  /** Runs that one process takes on at the same time. */
  atOnce: 32,
  /** Runs that wait for the merchant's API meanwhile: in one process, and of one company (the sockets to a host). */
  callsAtOnce: 256,
  callsAtOncePerCompany: 32,
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

/** Ours: what the dashboard's API takes in one request and gives in one answer. */
export const DASHBOARD_LIMITS = {
  bodyBytes: 1_048_576,
  pageItems: 100,
  pageItemsDefault: 50,
  accountNameChars: 80,
  companyNameChars: 80,
  personNameChars: 80,
  emailChars: 254,
} as const

/** Ours: connections, and bodies that arrive or are being decided, of one process (docs/decisions/0022). */
export const BODY_LIMITS = {
  connections: 2_048,
  readAheadBytes: 16_384,
  hookRoomBytes: 32 * 1_048_576,
  providerRoomBytes: 32 * 1_048_576,
  dashboardRoomBytes: 16 * 1_048_576,
  slowSeconds: 4,
  leastBytesPerSecond: 16_384,
  retryAfterMs: 5 * SECOND_MS,
} as const

/** Ours: what one provider may take to answer. */
export const PROVIDER_LIMITS = {
  sendMs: 15 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  answerBytes: 1_048_576,
  connections: 16,
  templatesPerPage: 100,
  templatePages: 50,
  webhookBytes: 4 * 1_048_576,
  /** Numbers that a webhook names, and as many accounts; how deep it is; fields, lists and objects. */
  webhookNames: 64,
  webhookDepth: 64,
  webhookPieces: 200_000,
  channelsOfWebhook: 200,
  /** Of unsigned bodies, all together: what is read, walked over or hashed in one turn of the event loop. */
  checkedBytesPerTurn: 262_144,
  unsignedPerAddressPerMinute: 60,
  vouchedForMs: DAY_MS,
} as const

/** Spec: Retention › What is kept. */
export const RETENTION = {
  deliveryLogMs: 30 * DAY_MS,
  waitingEventMs: 7 * DAY_MS,
  runMs: 90 * DAY_MS,
  runStepMs: 30 * DAY_MS,
  callLogMs: 14 * DAY_MS,
  /** Ours, from here on. */
  noticeMs: 90 * DAY_MS,
  deliveryHourMs: 30 * DAY_MS,
  minuteCountMs: DAY_MS,
} as const

/** Ours: how what is too old is deleted without holding anything up. */
export const SWEEP = {
  everyMs: HOUR_MS,
  rowsPerStatement: 1_000,
  /** Statements of one kind in a turn; what is left then waits for the next. */
  passesPerTurn: 10,
  againMs: 5 * SECOND_MS,
  /** Days of the partitioned tables that are made ahead, after today. */
  daysAhead: 7,
  /** A day is dropped later rather than that anyone waits for it longer. */
  dayLockMs: 1 * SECOND_MS,
} as const

/** Spec: Concepts › Identifiers. */
export const CONVERSATION_ID_BYTES = 1_500
