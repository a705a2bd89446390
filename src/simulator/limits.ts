import { SECOND_MS } from '../limits.ts'

/** Ours: how far the WhatsApp simulator goes before it forgets or gives up. */
export const SIMULATOR_LIMITS = {
  messages: 5_000,
  people: 5_000,
  waitingWebhooks: 50_000,
  refusals: 1_000,
  stepMs: 150,
  templateApprovalMs: 2 * SECOND_MS,
  requestBytes: 262_144,
  answerMs: 10 * SECOND_MS,
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
