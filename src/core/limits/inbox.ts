/** Numbers of the inbox. Source: docs/reference/limits.md, Inbox. */
import { SECOND_MS } from './units.ts'

/** Bounds of conversations, replies and the inbox's lists. */
export const INBOX_LIMITS = {
  /** Length of a handover's reason for staff. */
  reasonTextChars: 1_000,
  /** Length of the last message in lists. */
  lastTextChars: 200,
  /** Longest reply of any channel; each channel's maximum is lower. */
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
  /** Conversations that one request closes by their ids. */
  closedPerRequest: 200,
  /** Minutes that the filters "waiting for" and "closing within" accept. */
  maxMinutes: 7 * 24 * 60,
  /** Contacts that are shown as having a visitor's details. */
  visitorHints: 10,
  /** The newest messages of a visitor that are searched for numbers and addresses, and how much of each. */
  visitorTexts: 30,
  visitorTextChars: 500,
  /** Counts of tabs stop at this number. */
  maxCounted: 1_000,
} as const

/** Limits of a bulk close by filter: its pages bound the events per second of a company. */
export const CLOSE_JOB = {
  page: 100,
  everyMs: SECOND_MS / 2,
  retryMs: 30 * SECOND_MS,
  /** Jobs that one pass processes. */
  jobsPerPass: 20,
} as const
