/** The numbers of the assistant's replies, each with its unit in the name. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/**
 * Limits of one reply of the assistant: its inputs, its model requests and its time. Spec: Assistant › When it
 * answers; Assistant › Limits of a reply.
 */
export const REPLY_OF_ASSISTANT = {
  /** Longest debounce, from the first message. */
  maxDebounceMs: 15 * SECOND_MS,
  restarts: 3,
  /** Delay before a conversation with an active run is checked again. */
  duringRunMs: SECOND_MS,
  modelRequests: 6,
  searches: 4,
  refusedTools: 3,
  /** Uses of a tool with the same arguments in one reply. */
  sameCalls: 2,
  allMs: MINUTE_MS,
  requestMs: 25 * SECOND_MS,
  /** Estimated tokens of a prompt without its tools: older messages are left out. */
  tokensIn: 24_000,
  tokensOut: 800,
  dayMs: DAY_MS,
  /** Messages of the history in a prompt. */
  messages: 40,
  historyChars: 12_000,
  /** Length of one message in UTF-16 units; the rest is cut off before any check. */
  messageUnits: 4_000,
  /** Messages of a history that exceeded the model's context. */
  messagesOfShortened: 8,
  /** Messages that loop protection reads, and earlier actions listed in the prompt. */
  exchanged: 400,
  doneBefore: 10,
  reasonTextChars: 500,
  /** Newest messages of the customer that are searched for requests. */
  questionMessages: 3,
  /** Time within which "nothing was changed" is said once. */
  nothingDoneMs: 10 * MINUTE_MS,
} as const

/** Limits of the voice notes and photos that the assistant reads. Spec: Assistant › Media. */
export const REPLY_MEDIA = {
  /** Size of a voice note or photo. */
  bytes: 5 * 1_048_576,
  voiceNoteMs: 3 * MINUTE_MS,
  /** Longest wait, from the message on, for a transcript or a download. */
  waitMs: 20 * SECOND_MS,
  /** Interval at which a pending download is checked. */
  lookMs: SECOND_MS,
  /** Media of one reply. */
  voiceNotes: 4,
  images: 4,
} as const

/** Internal limits of claiming and advancing replies. */
export const REPLY_WORK = {
  /** Lease, longer than the models of one advance take: `allMs`, its last request, and the wait for a slot. */
  leaseMs: 2 * MINUTE_MS,
  /** Replies of one process that use the database, that wait for models, and of one account. */
  maxConcurrent: 32,
  maxWaiting: 1_000,
  maxWaitingPerAccount: 100,
  /** Shortest interval between claims of replies. */
  claimEveryMs: 20,
  companiesPerClaim: 64,
  /** Replies that have nothing more to do, ended by one statement. */
  endedPerBatch: 200,
  /** Bytes of voice notes and photos that one process holds for models. */
  mediaBytes: 40 * 1_048_576,
  /** Time after which a send without an outcome is checked. */
  sendLookMs: 30 * SECOND_MS,
  /** Delays before models that all failed are called again, then the last of them repeatedly. */
  modelAgainMs: [2 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS],
  retryDelaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS],
} as const
