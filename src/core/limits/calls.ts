/** The numbers of calls and AI actions, each with its unit in the name. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Limits of API connections, of the calls over them, and of the pages that show both. Spec: Limits › Calls. */
export const CALL_LIMITS = {
  connectionsPerCompany: 10,
  baseUrlChars: 500,
  nameChars: 80,
  credentialChars: 4_096,
  /** Length below which a credential is hidden in fewer positions of an answer. */
  credentialHiddenFromChars: 8,
  defaultHeaders: 10,
  testsPerMinute: 10,
  timeoutMinMs: 1 * SECOND_MS,
  timeoutMaxMs: 15 * SECOND_MS,
  timeoutDefaultMs: 10 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  /** Calls of a flow between two messages of the customer, and their total time. */
  inOneGo: 3,
  inOneGoMs: 30 * SECOND_MS,
  perAccountPerDay: 10_000,
  bodyBytes: 65_536,
  pathAndQueryChars: 4_096,
  /** Length of a template, which may exceed the length of its filled-in result. */
  templateChars: 8_192,
  /** Length of the name of a header or query parameter. */
  partNameChars: 200,
  answerBytes: 262_144,
  queryParameters: 10,
  headers: 10,
  keptValues: 10,
  /** Characters of an answer that a person is shown; the length of one filled-in header is bounded separately. */
  answerShownChars: 2_000,
  headerValueChars: 8_192,
  keyNameChars: 100,
  /** Calls whose begin or end one statement records. */
  inOneStatement: 64,
  /** Period that the figures of a connection cover. */
  figuresMs: 1 * DAY_MS,
  /** Newest calls of that period that decide whether a connection or an action fails at every call. */
  evaluatedCalls: 200,
} as const

/** Limits of AI actions: their definitions, calls and proposals. Spec: Limits › AI actions. */
export const ACTION_LIMITS = {
  perCompany: 20,
  callsPerReply: 3,
  callsPerCustomerPerDay: 60,
  parameters: 8,
  valueChars: 500,
  toolNameChars: 40,
  descriptionChars: 500,
  confirmationMs: 15 * MINUTE_MS,
  /** Times that one proposal is repeated to a customer whose answer leaves it open. */
  statedTimes: 2,
  /** Length of the merchant's own confirmation text in one language. */
  statementChars: 500,
  /** Bounds that keep an action and its answer readable for the assistant. */
  parameterNameChars: 40,
  parameterDescriptionChars: 300,
  choices: 20,
  shownFields: 10,
  labelChars: 80,
  answerChars: 2_000,
  /** The customer's newest messages that are searched for phone numbers and e-mail addresses. */
  saidMessages: 50,
} as const
