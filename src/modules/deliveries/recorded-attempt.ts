import type { AttemptError } from '../../core/vocabulary/deliveries.ts'

/** The outcome of one attempt, as `recordAttempts` writes it. */
export type RecordedAttempt = {
  attemptId: string
  deliveryId: string
  companyId: string
  endpointId: string
  claimId: string
  /** 1 to 8. */
  number: number
  isTest: boolean
  /** The frozen body no longer existed, so nothing was sent. */
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
  /** The response was, or may have been, longer than what is kept; null without a response. */
  answerIsCut: boolean | null
  headersAreCut: boolean | null
  signedWith: string[]
}
