import { DAY_MS, MINUTE_MS, SECOND_MS } from './time.ts'

/** Ours: how far the WhatsApp simulator goes before it forgets or gives up. */
export const SIMULATOR_LIMITS = {
  /** How long WhatsApp takes any message to a customer after their last. */
  serviceWindowMs: DAY_MS,
  messages: 5_000,
  people: 5_000,
  waitingWebhooks: 50_000,
  refusals: 1_000,
  stepMs: 150,
  /** So long WhatsApp shows that the business writes, where nothing is sent. */
  typingMs: 25 * SECOND_MS,
  templateApprovalMs: 2 * SECOND_MS,
  requestBytes: 262_144,
  /** Of an upload, with what the form adds to the largest file. */
  uploadBytes: 17 * 1_048_576,
  mediaHeldBytes: 64 * 1_048_576,
  mediaUrlMs: 5 * MINUTE_MS,
  answerMs: 10 * SECOND_MS,
  /** POSTs under way at once, of all numbers: each number has one. */
  webhooksAtOnce: 64,
  retryFirstMs: 200,
  retryMostMs: 5 * SECOND_MS,
  /** Of one webhook in one run of the process: about three minutes. */
  attempts: 40,
  changesPerBatch: 100,
  linesBeforeCompaction: 20_000,
  pages: 50,
  chatMessages: 200,
  phonesShown: 200,
} as const
