/** Internal numbers of the assistant's settings, each with its unit in the name. */
import { DAY_MS } from './units.ts'

/**
 * Limits of the assistant's settings, of feedback about its replies, and of trial conversations. Spec: Assistant ›
 * Settings.
 */
export const ASSISTANT_SETUP_LIMITS = {
  nameChars: 60,
  profileChars: 4_000,
  guidanceChars: 4_000,
  leadCriteriaChars: 1_000,
  /** Length of one sentence to the customer at a handover. */
  textChars: 500,
  debounceMs: 30_000,
  tags: 50,
  readableFields: 20,
  /** Length of a note about a good or bad reply. */
  feedbackChars: 1_000,
  /** Length of the customer's question in lists of replies. */
  questionChars: 200,
  /** Messages of a trial conversation. */
  trialMessages: 40,
  trialChars: 2_000,
} as const

/** Settings of a company that has not changed them. Spec: Assistant › Settings. */
export const ASSISTANT_DEFAULTS = { debounceMs: 3_000, qualifyAt: 70 } as const

/** Retention of a reply and its steps, counted from the end of the reply. Spec: Assistant › Trace. */
export const REPLY_RETENTION = { stepMs: 30 * DAY_MS, replyMs: 90 * DAY_MS } as const
