/** The numbers of what a company tells its assistant, each with its unit in the name. All ours. */
import { DAY_MS } from './units.ts'

/** Spec: Assistant › Settings. */
export const ASSISTANT_SETUP_LIMITS = {
  nameChars: 60,
  profileChars: 4_000,
  guidanceChars: 4_000,
  leadCriteriaChars: 1_000,
  /** Of one sentence to the customer at a handover. */
  textChars: 500,
  debounceMs: 30_000,
  tags: 50,
  readableFields: 20,
  /** Of a note to a reply that was good or bad. */
  feedbackChars: 1_000,
  /** Of the customer's words, as a list of replies shows them. */
  questionChars: 200,
  /** Of a talk that is tried out. */
  trialMessages: 40,
  trialChars: 2_000,
} as const

/** What holds until a company says otherwise. Spec: Assistant › Settings. */
export const ASSISTANT_DEFAULTS = { debounceMs: 3_000, qualifyAt: 70 } as const

/** How long what a reply leaves is kept, from its end. Spec: Assistant › Trace. */
export const REPLY_RETENTION = { stepMs: 30 * DAY_MS, replyMs: 90 * DAY_MS } as const
