/** The numbers of language models, each with its unit in the name. */
import { SECOND_MS } from './units.ts'

/** Limits of language models: their settings, requests, circuit breaker and tokens. Spec: Assistant › Models. */
export const MODEL_LIMITS = {
  perAccount: 3,
  /** Time limit of one request, whatever its server does. */
  requestMs: 25 * SECOND_MS,
  answerBytes: 1_048_576,
  /** Longest `Retry-After` that is waited for before the single retry; without one the delay is `retryMs`. */
  maxRetryAfterMs: 5 * SECOND_MS,
  retryMs: 1 * SECOND_MS,
  circuitFailures: 5,
  circuitWindowMs: 60 * SECOND_MS,
  circuitOpenMs: 30 * SECOND_MS,
  /** An account's daily tokens, unless the operator sets another number. */
  tokensPerDay: 2_000_000,
  /** Highest number that the operator may set for one account. */
  maxTokensPerDay: 2_147_483_647,
  lastFourFromChars: 12,
  keyChars: 4_096,
  modelNameChars: 200,
  baseUrlChars: 500,
  minContextTokens: 4_096,
  maxContextTokens: 10_000_000,
  contextTokensDefault: 128_000,
  testsPerMinute: 10,
  /** Tools that one answer may call. */
  callsOfAnswer: 16,
  /** Provider state carried between requests of one reply, in bytes of JSON. */
  carriedBytes: 65_536,
  /** Output tokens of a reasoning model, and of its second attempt. */
  tokensOutReasoning: 2_000,
  maxReasoningTokensOut: 4_000,
  /** Transcript of a voice note, in code points. */
  transcriptChars: 4_000,
  /** Estimate for servers that report no usage: bytes of UTF-8 per token. */
  bytesAToken: 3,
  /** Estimate of a voice note's tokens while it is transcribed: bytes of the recording per token. */
  recordingBytesAToken: 250,
  /** Estimate of a photo's tokens in a prompt. */
  imageTokens: 1_500,
  /** DNS lookup, connection and TLS, within a request's time. */
  connectMs: 5 * SECOND_MS,
  /** Connections of a process to one model server. */
  sockets: 1_000,
  /** Age at which a connection is closed, so that DNS changes take effect. */
  socketLifeMs: 60 * SECOND_MS,
  /** Bytes of a refusal that are read to classify it. */
  refusalBytes: 16_384,
  /** Output tokens for the test question. */
  testTokens: 500,
} as const

/** Shares of a day's token allowance at which the Owners get a notice, in percent. */
export const MODEL_WARNING_PERCENTS = [80, 100] as const
