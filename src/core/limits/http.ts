/** The limits of inbound requests, each with its unit in the name. */
import { SECOND_MS } from './units.ts'

/** Limits of one request to the dashboard's API and its response, and of the names and addresses in it. */
export const DASHBOARD_LIMITS = {
  bodyBytes: 1_048_576,
  /** Body size without a session; every such request is short. */
  bodyBytesWithoutSession: 16_384,
  /** Values in all lists and objects of a JSON body, and their nesting. A flow of 200 steps has some 6,000. */
  bodyValues: 20_000,
  bodyDepth: 64,
  /** Fields that a refusal names. */
  fieldErrors: 100,
  pageItems: 100,
  pageItemsDefault: 50,
  accountNameChars: 80,
  /** Length of the time in a cursor. */
  cursorTimeChars: 40,
  /** Length of the action or subject kind by which the audit log is filtered. */
  auditWordChars: 100,
  /** Length of the subject by which the audit log is filtered. */
  auditSubjectChars: 1_500,
  /** Opening hours of one day. */
  openRangesOfDay: 5,
  companyNameChars: 80,
  personNameChars: 80,
  emailChars: 254,
} as const

/** Internal limits of one process: connections, and bodies that arrive or are being checked (docs/decisions/0022). */
export const BODY_LIMITS = {
  connections: 2_048,
  connectionsOfAddress: 512,
  readAheadBytes: 16_384,
  /** Memory for bodies that are being received: of hooks, of providers' webhooks, and of the dashboard. */
  hookBudgetBytes: 32 * 1_048_576,
  providerBudgetBytes: 16 * 1_048_576,
  /** Size up to which an unauthenticated body may use the last quarter of the budget. */
  smallBytes: 65_536,
  dashboardBudgetBytes: 16 * 1_048_576,
  /** Budget for files that members upload: four of the largest. */
  fileBudgetBytes: 4 * 16 * 1_048_576,
  /** Time after which a body that arrives more slowly than `minBytesPerSecond` is refused. */
  slowSeconds: 4,
  minBytesPerSecond: 16_384,
  /** Requests to the dashboard's API without a session; a sign-in page sends a few. */
  withoutSessionPerAddressPerMinute: 600,
  /** Delay before an unauthenticated client gets its refusal, and how many may wait. */
  refusalMs: 2 * SECOND_MS,
  lateRefusals: 512,
  retryAfterMs: 5 * SECOND_MS,
} as const

/**
 * Multiples of an IPv6 /64's share for its wider networks. A /56 is one household or server. A /48 is one
 * organisation, or many customers of a mobile carrier.
 */
export const NETWORK_SHARES = { of56: { rate: 4, pool: 1.5 }, of48: { rate: 16, pool: 2 } } as const
