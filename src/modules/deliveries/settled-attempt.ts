import type { AttemptError } from '../../core/vocabulary/deliveries.ts'

/** What one attempt came to, ready to be written. */
export type RecordedAttempt = {
  attemptId: string
  deliveryId: string
  companyId: string
  endpointId: string
  claimId: string
  /** 1 to 8. */
  number: number
  isTest: boolean
  /** There was nothing that could be sent. */
  isBodyGone: boolean
  url: string
  startedAt: Date
  endedAt: Date
  durationMs: number
  dnsMs: number | null
  connectMs: number | null
  answerMs: number | null
  httpStatus: number | null
  error: AttemptError | null
  errorDetail: string | null
  remoteAddress: string | null
  answerHeaders: Buffer | null
  answerHead: Buffer | null
  /** There was, or may have been, more than is kept; null without an answer. */
  answerIsCut: boolean | null
  headersAreCut: boolean | null
  signedWith: string[]
}
