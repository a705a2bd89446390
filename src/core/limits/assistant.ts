/** The numbers of the assistant, each with its unit in the name. */
import { MINUTE_MS, SECOND_MS } from './units.ts'

/** Ours: a text longer than this, in UTF-16 units, says more than yes or no. */
export const AGREEMENT_LIMITS = { textUnits: 500 } as const

/** Ours: a longer message has more in it than the wish for a person, and the model reads it. */
export const PERSON_REQUEST_LIMITS = { textChars: 160 } as const

/** Spec: Assistant › Long replies. */
export const PART_LIMITS = {
  parts: 3,
  /** Where each message waits for the one before. */
  partsWhereSendsWait: 1,
  /** Ours: a part that would be less of what a message holds is no reason to cut at a better place. */
  leastShare: 1 / 4,
} as const

/** Spec: Assistant › Loop protection. */
export const LOOP_LIMITS = {
  /** More than so many messages of a customer. */
  messages: 20,
  messagesMs: MINUTE_MS,
  /** Ours: media that come so close behind each other are one album, and count as one message. */
  albumGapMs: SECOND_MS,
  /** So many replies, and a message that asks for one more. */
  replies: 20,
  repliesMs: 10 * MINUTE_MS,
  /** So many messages in a row, each so soon behind one of ours. */
  quick: 4,
  quickMs: 2 * SECOND_MS,
  /** The same text so often; a shorter one is said often by people. */
  sameText: 4,
  sameTextMs: 10 * MINUTE_MS,
  sameTextLeastChars: 6,
  /** So many messages that are one of our last. */
  echoes: 2,
  echoedMessages: 5,
  repliesOfDay: 100,
} as const

/** Spec: Assistant › What is never sent. */
export const GUARD_LIMITS = {
  /** So many characters of the instructions are not sent. */
  instructionChars: 80,
  /** Ours: in UTF-16 units; more than any channel takes. */
  textUnits: 20_000,
} as const
