/** Numbers of the inbox. Source: docs/reference/limits.md, Inbox. */
import { SECOND_MS } from './units.ts'

export const INBOX_LIMITS = {
  /** Of what a handover says for people. */
  reasonTextChars: 1_000,
  /** Of the last message, as the lists show it. */
  lastTextChars: 200,
  /** The longest that any channel takes comes first; this bounds what is looked at. */
  replyChars: 20_000,
  keyChars: 200,
  noteChars: 4_000,
  mentions: 20,
  templateValues: 50,
  templateValueChars: 1_024,
  cannedReplies: 500,
  cannedChars: 4_096,
  tagChars: 50,
  searchChars: 200,
  conversationIdChars: 1_500,
  /** By their ids, in one request. */
  closedAtOnce: 200,
  /** Shown to be assigned or named. */
  people: 500,
  /** Shown to narrow a list by. */
  channels: 500,
  templatesOffered: 1_000,
  /** What a list can be narrowed to: waiting at least, or closing within so many minutes. */
  minutesAsked: 7 * 24 * 60,
  /** Contacts that are shown to have what a visitor gave. */
  visitorHints: 10,
  /** The newest messages of a visitor that are searched for numbers and addresses, and how much of each. */
  visitorTexts: 30,
  visitorTextChars: 500,
  /** Tabs count no further. */
  countedMost: 1_000,
} as const

/** How a bulk close by a filter goes on: so many events a second for a company. */
export const CLOSE_JOB = {
  page: 100,
  everyMs: SECOND_MS / 2,
  afterFaultMs: 30 * SECOND_MS,
  /** Jobs that one look takes on. */
  jobsAtOnce: 20,
} as const
