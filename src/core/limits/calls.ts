/** The numbers of calls and AI actions, each with its unit in the name. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Spec: Limits › Calls. */
export const CALL_LIMITS = {
  connectionsPerCompany: 10,
  baseUrlChars: 500,
  nameChars: 80,
  credentialChars: 4_096,
  /** A shorter credential is hidden in fewer places of an answer. */
  credentialHiddenFromChars: 8,
  defaultHeaders: 10,
  testsPerMinute: 10,
  timeoutMinMs: 1 * SECOND_MS,
  timeoutMaxMs: 15 * SECOND_MS,
  timeoutDefaultMs: 10 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  inOneGo: 3,
  inOneGoMs: 30 * SECOND_MS,
  perAccountPerDay: 10_000,
  bodyBytes: 65_536,
  pathAndQueryChars: 4_096,
  /** Ours: a template may be longer than what it comes to once filled in, but not without end. */
  templateChars: 8_192,
  /** Ours: the name of a header or of a parameter of the query. */
  partNameChars: 200,
  answerBytes: 262_144,
  queryParameters: 10,
  headers: 10,
  keptValues: 10,
  /** Ours: what of an answer a person is shown, and how long one header may come out. */
  answerShownChars: 2_000,
  headerValueChars: 8_192,
  keyNameChars: 100,
  /** Ours: calls that begin, or end, in one statement. */
  inOneStatement: 64,
  /** Ours: flows and actions that are named as users of the company's connections. */
  usersShown: 500,
  /** Ours: of which time the figures of a connection tell. */
  figuresMs: 1 * DAY_MS,
  /** Ours: so many of the latest calls of that time tell whether a connection or an action fails at every call. */
  judgedCalls: 200,
} as const

/** Spec: Limits › AI actions. */
export const ACTION_LIMITS = {
  perCompany: 20,
  callsPerReply: 3,
  callsPerCustomerPerDay: 60,
  parameters: 8,
  valueChars: 500,
  toolNameChars: 40,
  descriptionChars: 500,
  confirmationMs: 15 * MINUTE_MS,
  /** Ours: how often one proposal is stated to a customer whose words leave it open. */
  statedTimes: 2,
  /** Ours: the merchant's own sentence for what is proposed, in one language. */
  statementChars: 500,
  /** Ours: what keeps an action and its answer readable for the assistant. */
  parameterNameChars: 40,
  parameterDescriptionChars: 300,
  choices: 20,
  shownFields: 10,
  labelChars: 80,
  answerChars: 2_000,
  /** The customer's newest messages, in which a number or an address may stand that they gave themselves. */
  saidMessages: 50,
} as const
