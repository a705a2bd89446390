/** The numbers of channels, their providers, conversations and templates, each with its unit in the name. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './units.ts'

/** Internal bounds of stored messages. */
export const MESSAGING_LIMITS = {
  /** Earliest time that a provider may report, in ms since 1970: the year 2000. */
  earliestMs: 30 * 365.25 * DAY_MS,
  /** Earlier texts of an edited message that are kept, the newest ones. */
  earlierTexts: 20,
} as const

/** Texts of one customer, within one and within ten minutes, that exceed a person's typing. Spec: reading F37. */
export const BURST_LIMITS = {
  textsInMinute: 20,
  minuteMs: MINUTE_MS,
  textsInMinutes: 60,
  minutesMs: 10 * MINUTE_MS,
} as const

/**
 * Limits of automated templates to one customer, and of the counts in the list of templates. Spec: Flows › Automated
 * templates.
 */
export const TEMPLATE_LIMITS = {
  perCustomer: 3,
  perCustomerMs: 24 * HOUR_MS,
  recordKeptMs: 30 * DAY_MS,
  /** Period of the counts in the list of templates, and the number at which they stop. */
  countedDaysMs: 7 * DAY_MS,
  weekCountsStopAt: 10_000,
} as const

/** Internal bounds of a template's names and values. */
export const TEMPLATE_FORM = {
  nameChars: 512,
  languageChars: 16,
  /** Length of a status as the provider writes it. */
  statusChars: 64,
  valueNameChars: 64,
  buttons: 10,
  buttonLabelChars: 100,
} as const

/** Bounds of a channel's settings, and the schedule by which its templates are synced. */
export const CHANNEL_LIMITS = {
  nameChars: 80,
  accessTokenChars: 2_000,
  appSecretChars: 200,
  minVerifyTokenChars: 8,
  verifyTokenChars: 200,
  templatesEveryMs: HOUR_MS,
  /** Up to this much later, so that channels connected together do not stay together. */
  templatesSpreadMs: 6 * MINUTE_MS,
  /** Channels whose templates one process reads concurrently, and a lease that outlasts all pages of one. */
  maxConcurrentTemplateReads: 4,
  templatesLeaseMs: 10 * MINUTE_MS,
  /** Hours for which a reply from the provider's app keeps flows and assistant out. */
  minTakeOverHours: 1,
  maxTakeOverHours: 168,
  /** Channels with their credentials in the memory of one process. */
  known: 5_000,
} as const

/**
 * Intervals of the typing indicator, which shows customers that an answer is being written. Spec: Assistant › When it
 * answers.
 */
export const TYPING_LIMITS = {
  /** Delay after the assistant began a reply. */
  afterMs: SECOND_MS,
  /** WhatsApp shows it for 25 s, Messenger for 20 s, Telegram for 5 s, or until something is sent. */
  whatsAppEveryMs: 20 * SECOND_MS,
  messagingEveryMs: 15 * SECOND_MS,
  telegramEveryMs: 4 * SECOND_MS,
  /** Timeout of a typing indicator; later ones are useless. */
  answerMs: 5 * SECOND_MS,
  /** Requests of one process, so that indicators take no connections from messages. */
  maxConcurrent: 32,
} as const

/** Internal limits of requests to providers and of their webhooks. */
export const PROVIDER_LIMITS = {
  sendMs: 15 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  answerBytes: 1_048_576,
  /** Size of a list, in which JSON escapes a non-Latin letter with six characters. */
  listBytes: 8 * 1_048_576,
  /** Connections: one per concurrent send of a process, and some more. */
  connections: 288,
  templatesPerPage: 100,
  /** Pages of templates: Meta stores at most 6,000 per business account. */
  templatePages: 64,
  /** Time for which an uploaded file is reused; WhatsApp stores it for 30 days. */
  uploadKnownMs: 20 * DAY_MS,
  /** Redirects from a file's URL to its content. */
  fileHops: 3,
  webhookBytes: 4 * 1_048_576,
  /** Numbers that a webhook names, and as many accounts; how deep it is; fields, elements, lists and objects. */
  webhookNames: 64,
  webhookDepth: 64,
  webhookValues: 150_000,
  /** Channels that an unauthenticated webhook may name, and how many are looked up together. */
  channelsOfWebhook: 192,
  channelsPerLookUp: 16,
  /** Bytes of unsigned bodies, in total, that are read, scanned or hashed before the event loop continues. */
  checkedBytesPerSlice: 262_144,
  /** Minimum time between such slices for unauthenticated bodies, which makes 32 MB a second. */
  unauthenticatedPauseMs: 8,
  /** Costs, in bytes, of looking up a channel and of decrypting one secret. */
  lookUpBytes: 262_144,
  decryptBytes: 16_384,
  /** Bytes hashed for one unauthenticated body, counted once per secret. */
  hashedBytesUnauthenticated: 64 * 1_048_576,
  unsignedPerAddressPerMinute: 60,
  /** Time for which an address with a validly signed request is exempt from that limit. */
  trustedAddressMs: DAY_MS,
} as const

/** Internal limits of receipts and echoes from providers that return no reference. */
export const ECHO_LIMITS = {
  /** Messages of one customer that a watermark receipt covers. */
  messagesOfWatermark: 500,
  /** Time within which an echo of an outbound message arrives. */
  ownEchoMs: 10 * MINUTE_MS,
} as const

/** Internal limits of looking up customers' names at providers. */
export const NAME_LIMITS = {
  /** Lookups that are due longest and are shared out among accounts. */
  lookedAt: 500,
  /** Concurrent lookups of one process, their timeout, and the delays of retries. */
  maxConcurrent: 4,
  deadlineMs: 10 * SECOND_MS,
  retryDelaysMs: [MINUTE_MS, 30 * MINUTE_MS, 6 * HOUR_MS],
  leaseMs: MINUTE_MS,
  nameChars: 200,
} as const

/** Internal limits of provider events that are ingested in one batch, and the batch's lock timeout. */
export const INBOUND_LIMITS = {
  /** Recipients whose lookup a process remembers for receipts. */
  knownRecipients: 50_000,
  maxBatchSize: 128,
  maxConcurrentBatches: 2,
  lockMs: SECOND_MS,
  /** People of an address book per transaction. */
  entriesPerBatch: 200,
  /** Messages of a history per transaction: each takes some statements, and locks its customer. */
  historyPerBatch: 25,
} as const

/** Internal limits of polling providers. */
export const POLL_LIMITS = {
  /** Channels that one process polls concurrently. */
  maxConcurrent: 512,
  perClaim: 64,
  /** Longest wait for a provider's response; shorter when more than half of the slots are taken. */
  waitMs: 25 * SECOND_MS,
  waitUnderLoadMs: 2 * SECOND_MS,
  /** Longer than a round may take. */
  leaseMs: MINUTE_MS,
  /** Delay after n unsuccessful polls in a row, doubled each time. */
  backOffMs: SECOND_MS,
  maxBackOffMs: MINUTE_MS,
  /** Delay before the next poll when the provider answered immediately that it has nothing. */
  idleMs: SECOND_MS,
  /** Attempts to ingest an event before it is skipped. */
  maxTries: 5,
} as const

/** Internal limits of sending queued messages. */
export const SEND_LIMITS = {
  /** Concurrent sends of one process: 500 a second to a provider that takes 0.5 s. */
  maxConcurrent: 256,
  /** Concurrent sends of one account and one channel, so that a slow provider delays no other. */
  maxConcurrentPerAccount: 96,
  maxConcurrentPerChannel: 48,
  /** Claimed messages in one process's memory; the rest waits in the table. */
  claimed: 4_000,
  claimedPerAccount: 1_000,
  claimedPerChannel: 160,
  /** Longest delay that a provider may request for a retry. */
  maxRetryAfterMs: HOUR_MS,
  /** Messages of one statement. */
  batch: 128,
  /** Channels that one claim reads. */
  channelsPerClaim: 64,
  leaseMs: 60 * SECOND_MS,
} as const

/** Limits of call reports. Providers sign with the time; a clock within this tolerance is accepted. */
export const VOICE_LIMITS = {
  signatureAgeMs: 5 * MINUTE_MS,
  minSecretChars: 16,
  secretChars: 400,
  /** Messages of a provider's conversation that one page holds, and pages. */
  messagesPerPage: 100,
  pages: 20,
} as const

/** Internal limits of the bridge for numbers linked by QR code. */
export const BRIDGE_LIMITS = {
  /** Size of a response, which may hold everything kept for a number. */
  answerBytes: 64 * 1_048_576,
  /** Time that a response may take beyond the requested wait. */
  beyondWaitMs: 10 * SECOND_MS,
  saidChars: 300,
  /** Events in one response; a bridge that was not polled for long keeps half of it. */
  eventsInRound: 10_000,
  /** Precision of the time until which a number was linked. */
  seenEveryMs: MINUTE_MS,
  /** Time after linking in which missed messages may still arrive. */
  seenLagMs: 5 * MINUTE_MS,
} as const

/** Time in which members may still answer a customer who has opted out. Spec: Inbox › Allowed messages. */
export const OPTED_OUT_REPLY_LIMITS = {
  /** Time in which a question that the customer asked after opting out may be answered. */
  afterOptOutMs: DAY_MS,
} as const

/** Maximum size of a conversation's id. Spec: Concepts › Identifiers. */
export const CONVERSATION_ID_BYTES = 1_500
