/** The numbers of what the service's doors let in, each with its unit in the name. */
import { SECOND_MS } from './units.ts'

/** Ours: what the dashboard's API takes in one request and gives in one answer. */
export const DASHBOARD_LIMITS = {
  bodyBytes: 1_048_576,
  /** Of who is not signed in: all that they can ask for is short. */
  strangersBodyBytes: 16_384,
  /** Of JSON: values in all its lists and objects, and how deep these are nested. A flow of 200 steps has some 6,000. */
  bodyValues: 20_000,
  bodyDepth: 64,
  /** Of a refusal: so many of its fields are told. */
  fieldErrors: 100,
  pageItems: 100,
  pageItemsDefault: 50,
  accountNameChars: 80,
  /** Of a time in a list, at which its next page begins. */
  placeChars: 40,
  /** Of an action or a kind of thing whose history is asked for. */
  auditWordChars: 100,
  /** Of the thing whose history is asked for. */
  auditSubjectChars: 1_500,
  /** Of one day's opening hours. */
  openRangesOfDay: 5,
  companyNameChars: 80,
  personNameChars: 80,
  emailChars: 254,
} as const

/** Ours: connections, and bodies that arrive or are being decided, of one process (docs/decisions/0022). */
export const BODY_LIMITS = {
  connections: 2_048,
  connectionsOfAddress: 512,
  readAheadBytes: 16_384,
  hookRoomBytes: 32 * 1_048_576,
  providerRoomBytes: 16 * 1_048_576,
  /** Of strangers' bodies: no larger one takes the last quarter that is theirs. */
  smallBytes: 65_536,
  dashboardRoomBytes: 16 * 1_048_576,
  /** Of files that members upload: so many of the largest at once. */
  fileRoomBytes: 4 * 16 * 1_048_576,
  slowSeconds: 4,
  leastBytesPerSecond: 16_384,
  /** To the dashboard's API, of who is not signed in: a page that is not signed in sends a few. */
  strangersPerAddressPerMinute: 600,
  /** So long strangers wait for a refusal, and so many of them at once. */
  refusalMs: 2 * SECOND_MS,
  lateRefusals: 512,
  retryAfterMs: 5 * SECOND_MS,
} as const

/**
 * Ours: how many times the share of one IPv6 /64 its wider networks have. A /56 is one household's or one server's, a /48
 * one organisation's, but of some mobile carriers many customers'.
 */
export const NETWORK_SHARES = {
  of56: { rate: 4, pool: 1.5 },
  of48: { rate: 16, pool: 2 },
} as const
