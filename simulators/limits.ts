import { DAY_MS, MINUTE_MS, SECOND_MS } from './time.ts'

/** Limits that this simulator of WhatsApp sets, after which it deletes data or gives up. */
export const SIMULATOR_LIMITS = {
  /** Time after a customer's last message in which WhatsApp accepts any message to them. */
  serviceWindowMs: DAY_MS,
  messages: 5_000,
  people: 5_000,
  waitingWebhooks: 50_000,
  refusals: 1_000,
  stepMs: 150,
  /** Time that WhatsApp shows the typing indicator if no message is sent. */
  typingMs: 25 * SECOND_MS,
  templateApprovalMs: 2 * SECOND_MS,
  requestBytes: 262_144,
  /** The limit of an upload, including the form's overhead for the largest file. */
  uploadBytes: 17 * 1_048_576,
  mediaHeldBytes: 64 * 1_048_576,
  mediaUrlMs: 5 * MINUTE_MS,
  answerMs: 10 * SECOND_MS,
  /** Concurrent POSTs of all numbers; each number has one. */
  concurrentWebhooks: 64,
  retryFirstMs: 200,
  maxRetryMs: 5 * SECOND_MS,
  /** Attempts of one webhook in one run of the process: about three minutes. */
  attempts: 40,
  changesPerBatch: 100,
  linesBeforeCompaction: 20_000,
  pages: 50,
  chatMessages: 200,
  phonesShown: 200,
} as const
