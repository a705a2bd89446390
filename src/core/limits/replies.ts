/** The numbers of the assistant's replies, each with its unit in the name. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Spec: Assistant › When it answers; Assistant › What a reply may take. */
export const REPLY_OF_ASSISTANT = {
  /** From the first message at the latest, whatever else comes. */
  gatherMostMs: 15 * SECOND_MS,
  restarts: 3,
  /** While a flow is at work in the conversation, it is looked at again after this. */
  besideRunMs: SECOND_MS,
  modelRequests: 6,
  searches: 4,
  refusedTools: 3,
  /** A tool is used with the same arguments so often. */
  sameCalls: 2,
  allMs: MINUTE_MS,
  requestMs: 25 * SECOND_MS,
  /** Estimated, of a prompt without its tools: what is older in the talk is left out. */
  tokensIn: 24_000,
  tokensOut: 800,
  dayMs: DAY_MS,
  /** History that a model is told of. */
  messages: 40,
  historyChars: 12_000,
  /** Of one message, in UTF-16 units; what is behind is cut off before anything looks at it. */
  messageUnits: 4_000,
  /** Of a history that was too long for the model. */
  messagesOfShortened: 8,
  /** Messages that loop protection looks back over, and deeds of earlier replies that are told of. */
  exchanged: 400,
  doneBefore: 10,
  reasonTextChars: 500,
  /** So many of the customer's last messages are read for what they ask to have done. */
  askedMessages: 3,
  /** Ours: that nothing was changed is said once in this time. */
  nothingDoneMs: 10 * MINUTE_MS,
} as const

/** Spec: Assistant › Media. */
export const REPLY_MEDIA = {
  /** Of a voice note, and of a photo. */
  bytes: 5 * 1_048_576,
  voiceNoteMs: 3 * MINUTE_MS,
  /** From its message on it is waited for what is to be heard or seen. */
  waitMs: 20 * SECOND_MS,
  /** Ours: how often it is looked whether a file has come meanwhile. */
  lookMs: SECOND_MS,
  /** Ours: of one reply. */
  voiceNotes: 4,
  images: 4,
} as const

/** Ours: how replies are taken on. */
export const REPLY_WORK = {
  /** Longer than models are asked in one turn: `allMs`, the last request of it, and the wait for a place. */
  leaseMs: 2 * MINUTE_MS,
  /** Replies of one process at work with the database, waiting for models, and of one account. */
  atOnce: 32,
  waitingAtOnce: 1_000,
  waitingOfAccount: 100,
  /** The table is asked for due replies no more often than this. */
  claimEveryMs: 20,
  companiesPerClaim: 64,
  /** A reply that rests for longer is found in time by who looks at the table now and then. */
  notedWaitMs: 10 * SECOND_MS,
  /** Replies that have nothing more to do, ended by one statement. */
  settledAtOnce: 200,
  /** Of voice notes and photos that are in the memory of one process for models. */
  mediaBytes: 40 * 1_048_576,
  /** Nobody told what came of a send: it is looked at. */
  sendLookMs: 30 * SECOND_MS,
  /** Models that are all out of order are asked again after these, and then after the last of them. */
  modelAgainMs: [2 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS],
  faultDelaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS],
} as const
