/** The numbers of language models, each with its unit in the name. */
import { SECOND_MS } from './units.ts'

/** Spec: Assistant › Models. */
export const MODEL_LIMITS = {
  perAccount: 3,
  /** For one request, whatever its server does. */
  requestMs: 25 * SECOND_MS,
  answerBytes: 1_048_576,
  /** A `Retry-After` of no more is kept to before the one repeat; else it is waited for `retryMs`. */
  retryAfterMostMs: 5 * SECOND_MS,
  retryMs: 1 * SECOND_MS,
  circuitFailures: 5,
  circuitWindowMs: 60 * SECOND_MS,
  circuitOpenMs: 30 * SECOND_MS,
  /** Unless the operator says another number. */
  tokensPerDay: 2_000_000,
  /** Of an account that the operator gives its own number. */
  tokensPerDayMost: 2_147_483_647,
  lastFourFromChars: 12,
  keyChars: 4_096,
  modelNameChars: 200,
  baseUrlChars: 500,
  contextTokensLeast: 4_096,
  contextTokensMost: 10_000_000,
  contextTokensDefault: 128_000,
  testsPerMinute: 10,
  /** Ours: tools that are called in one answer. */
  callsOfAnswer: 16,
  /** Ours: what models want back within one reply, in bytes of JSON. */
  carriedBytes: 65_536,
  /** Of an answer of a model that reasons, and of the answer that is asked for once more. */
  tokensOutReasoning: 2_000,
  tokensOutReasoningMost: 4_000,
  /** Ours: of what was heard in a voice note, in code points. */
  transcriptChars: 4_000,
  /** Of a server that tells no tokens: about so many bytes of UTF-8 are one. */
  bytesAToken: 3,
  /** Ours: what a photo is counted as in a prompt, in tokens. */
  imageTokens: 1_500,
  /** Ours: look-up, connection and TLS, within a request's time. */
  connectMs: 5 * SECOND_MS,
  /** Ours: connections that a process has open to one model's server. */
  sockets: 1_000,
  /** Ours: after this a connection is let go, so that a name that has moved is followed. */
  socketLifeMs: 60 * SECOND_MS,
  /** Ours: of a refusal, what is looked at to tell why. */
  refusalBytes: 16_384,
  /** Ours: what a model may answer to the test question, in tokens. */
  testTokens: 500,
} as const

/** Shares of a day's allowance at which the Owners are told, in percent. */
export const MODEL_WARNING_PERCENTS = [80, 100] as const
