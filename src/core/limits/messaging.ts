/** The numbers of channels, their providers, conversations and templates, each with its unit in the name. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './units.ts'

/** Ours. */
export const MESSAGING_LIMITS = {
  /** No provider told of anything before this time, in ms since 1970: the year 2000. */
  earliestMs: 30 * 365.25 * DAY_MS,
  /** What is kept of what an edited message said before: the newest of it. */
  earlierTexts: 20,
} as const

/** Ours: more texts of one customer than a person writes, in a minute or in ten of them. Spec: reading F37. */
export const BURST_LIMITS = {
  textsInMinute: 20,
  minuteMs: MINUTE_MS,
  textsInMinutes: 60,
  minutesMs: 10 * MINUTE_MS,
} as const

/** Spec: Flows › Automated templates. */
export const TEMPLATE_LIMITS = {
  perCustomer: 3,
  perCustomerMs: 24 * HOUR_MS,
  recordKeptMs: 30 * DAY_MS,
  /** Of the list of templates: what was sent and failed in the days before, counted no further than this. */
  countedDaysMs: 7 * DAY_MS,
  weekCountsStopAt: 10_000,
} as const

/** Ours: a template as its provider names it and as it is filled. */
export const TEMPLATE_FORM = {
  nameChars: 512,
  languageChars: 16,
  /** Of a status, as the provider writes it. */
  statusChars: 64,
  valueNameChars: 64,
  buttons: 10,
  buttonLabelChars: 100,
} as const

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
  /** Channels whose templates one process reads at the same time; longer than all pages of one take. */
  templatesAtOnce: 4,
  templatesLeaseMs: 10 * MINUTE_MS,
  /** How long the owner's reply from the provider's app keeps flows and assistant out. */
  takeOverHoursLeast: 1,
  takeOverHoursMost: 168,
  /** Channels with their credentials in the memory of one process. */
  known: 5_000,
} as const

/** Spec: Assistant › When it answers. How customers are shown that an answer is being written. */
export const TYPING_LIMITS = {
  /** So long after the assistant began to think. */
  afterMs: SECOND_MS,
  /** WhatsApp shows it for 25 s, Messenger for 20 s, Telegram for 5 s, or until something is sent. */
  whatsAppEveryMs: 20 * SECOND_MS,
  messagingEveryMs: 15 * SECOND_MS,
  telegramEveryMs: 4 * SECOND_MS,
  /** Ours: what comes later is of no use. */
  answerMs: 5 * SECOND_MS,
  /** Ours: of one process, so that they keep no connection from what is sent. */
  atOnce: 32,
} as const

/** Ours: what one provider may take to answer. */
export const PROVIDER_LIMITS = {
  sendMs: 15 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  answerBytes: 1_048_576,
  /** Of a list, in which a letter that is not Latin is written with six characters. */
  listBytes: 8 * 1_048_576,
  /** One for each send that one process has under way at once, and some for the rest. */
  connections: 288,
  templatesPerPage: 100,
  /** Meta keeps 6,000 of a business account at most. */
  templatePages: 64,
  /** A provider surely has a file for so long that it was given; WhatsApp keeps it for 30 days. */
  uploadKnownMs: 20 * DAY_MS,
  /** From where a file is said to lie to where it does. */
  fileHops: 3,
  webhookBytes: 4 * 1_048_576,
  /** Numbers that a webhook names, and as many accounts; how deep it is; fields, lists and objects. */
  webhookNames: 64,
  webhookDepth: 64,
  webhookPieces: 200_000,
  /** Channels that a stranger's webhook may name, and how many of them are looked up together. */
  channelsOfWebhook: 192,
  channelsPerLookUp: 16,
  /** Of unsigned bodies, all together: what is read, walked over or hashed in one turn of the event loop. */
  checkedBytesPerTurn: 262_144,
  /** Of strangers: at least so long from one such turn to the next, which makes 32 MB a second. */
  strangersTurnMs: 8,
  /** What costs as much as so many bytes: to look up whom a body names, and to decrypt one's secret. */
  lookUpBytes: 262_144,
  decryptBytes: 16_384,
  /** Of one stranger's body, once for each secret. */
  hashedBytesOfStranger: 64 * 1_048_576,
  unsignedPerAddressPerMinute: 60,
  vouchedForMs: DAY_MS,
} as const

/** Ours: receipts and echoes of providers that give no reference back. */
export const ECHO_LIMITS = {
  /** Of one customer's messages, by a receipt that names a time. */
  messagesOfWatermark: 500,
  /** An echo of what we sent comes within so long of it. */
  ofOursMs: 10 * MINUTE_MS,
} as const

/** Ours: customers' names that a provider tells only when it is asked. */
export const NAME_LIMITS = {
  /** Of those that are due longest: so many are shared out among accounts. */
  lookedAt: 500,
  /** Asked for by one process at a time; how long an answer may take, and when it is asked again. */
  atOnce: 4,
  deadlineMs: 10 * SECOND_MS,
  retryDelaysMs: [MINUTE_MS, 30 * MINUTE_MS, 6 * HOUR_MS],
  leaseMs: MINUTE_MS,
  nameChars: 200,
} as const

/** Ours: facts of providers that are taken in together, and how long a batch of them waits for a lock. */
export const INBOUND_LIMITS = {
  /** Whom a process remembers to have looked up for receipts. */
  knownRecipients: 50_000,
  mostInABatch: 128,
  batchesAtOnce: 2,
  lockMs: SECOND_MS,
  /** Of an address book in one transaction. */
  mostPeopleAtOnce: 200,
  /** Of a history: each is some statements, and others who have its customer wait. */
  mostOfHistoryAtOnce: 25,
} as const

/** Ours: how a process asks providers for what happened. */
export const POLL_LIMITS = {
  /** Channels whose providers one process asks at a time. */
  atOnce: 512,
  perClaim: 64,
  /** How long a provider may let us wait; shorter where more than half of the places are taken. */
  waitMs: 25 * SECOND_MS,
  crowdedWaitMs: 2 * SECOND_MS,
  /** Longer than a round may take. */
  leaseMs: MINUTE_MS,
  /** After nothing came of a round n times in a row, the next is due this much later, doubled each time. */
  backOffMs: SECOND_MS,
  backOffMostMs: MINUTE_MS,
  /** Where nobody waits at the provider, and it has nothing: until it is asked again. */
  idleMs: SECOND_MS,
  /** What cannot be taken in so often is left out. */
  mostTries: 5,
} as const

/** Ours: how a process sends what is queued. */
export const SEND_LIMITS = {
  /** Messages that one process has at providers at once: 500/s of a provider that takes 0.5 s. */
  atOnce: 256,
  /** Of one account, and of one number, so that a slow provider holds up nobody else. */
  atOncePerAccount: 96,
  atOncePerChannel: 48,
  /** Messages that one process holds in memory until it is their turn; what is more waits in the table. */
  inHand: 4_000,
  inHandPerAccount: 1_000,
  inHandPerChannel: 160,
  /** A provider that says when to come again is believed up to this. */
  retryAfterMostMs: HOUR_MS,
  /** In one statement. */
  batch: 128,
  /** Channels that one claim looks at. */
  channelsPerClaim: 64,
  leaseMs: 60 * SECOND_MS,
} as const

/** Ours: reports of calls. Providers sign with the time, and refuse nobody's clock that is so far off. */
export const VOICE_LIMITS = {
  signatureAgeMs: 5 * MINUTE_MS,
  secretLeastChars: 16,
  secretChars: 400,
  /** Of a conversation that is read at the provider. */
  messagesPerPage: 100,
  pages: 20,
} as const

/** Ours: what the bridge of numbers that are linked by QR code may take. */
export const BRIDGE_LIMITS = {
  /** All that is kept of a number may come at once. */
  answerBytes: 64 * 1_048_576,
  /** After it has waited as long as it was let. */
  beyondWaitMs: 10 * SECOND_MS,
  saidChars: 300,
  /** What one round may tell: a bridge that nobody asked for long keeps half of it. */
  eventsInRound: 10_000,
  /** How exactly it is known until when a number was linked. */
  seenEveryMs: MINUTE_MS,
  /** For so long after a number is linked again, what it missed may still come. */
  seenLagMs: 5 * MINUTE_MS,
} as const

/** Spec: Inbox › What may be sent. */
export const REPLY_LIMITS = {
  /** For so long what a customer asked after opting out may be answered. */
  afterOptOutMs: DAY_MS,
} as const

/** Spec: Concepts › Identifiers. */
export const CONVERSATION_ID_BYTES = 1_500
