/** The numbers of the assistant, each with its unit in the name. */
import { MINUTE_MS, SECOND_MS } from './units.ts'

/** The length, in UTF-16 units, above which a text is more than a yes or no. */
export const AGREEMENT_LIMITS = { textUnits: 500 } as const

/** The length, in code points, above which a message holds more than the wish for a person: the model reads it. */
export const PERSON_REQUEST_LIMITS = { textChars: 160 } as const

/** Limits of the messages into which one reply is split. Spec: Assistant › Long replies. */
export const PART_LIMITS = {
  parts: 3,
  /** Parts on channels where each message waits for the one before. */
  partsWhereSendsWait: 1,
  /** Smallest share of the message limit at which a part may be cut early to end at a better place. */
  minShare: 1 / 4,
} as const

/** Numbers of messages from which loop protection stops the assistant. Spec: Assistant › Loop protection. */
export const LOOP_LIMITS = {
  /** Messages of a customer within `messagesMs` above which the assistant stops. */
  messages: 20,
  messagesMs: MINUTE_MS,
  /** Media that arrive within this time of each other are one album and count as one message. */
  albumGapMs: SECOND_MS,
  /** Replies within `repliesMs` after which the next message stops the assistant. */
  replies: 20,
  repliesMs: 10 * MINUTE_MS,
  /** Messages in a row, each within `quickMs` of an outbound one, that stop the assistant. */
  quick: 4,
  quickMs: 2 * SECOND_MS,
  /** Equal texts that stop the assistant. Texts below `minSameTextChars` do not count, because people repeat them. */
  sameText: 4,
  sameTextMs: 10 * MINUTE_MS,
  minSameTextChars: 6,
  /** Messages that repeat one of the last outbound ones before the assistant stops. */
  echoes: 2,
  echoedMessages: 5,
  repliesOfDay: 100,
} as const

/** Limits of a text that the guard of replies lets through. Spec: Assistant › Texts that are never sent. */
export const GUARD_LIMITS = {
  /** Longest run of characters from the instructions that a reply may repeat. */
  instructionChars: 80,
  /** UTF-16 units, more than any channel accepts. */
  textUnits: 20_000,
} as const
