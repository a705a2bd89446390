/** The numbers of hooks, each with its unit in the name. */
import { SECOND_MS, DAY_MS } from './units.ts'

/**
 * Limits of hook URLs and hook requests, and of the saved shape of the last request. Spec: Limits › Hooks; Hooks ›
 * Last request.
 */
export const HOOK_LIMITS = {
  bodyBytes: 65_536,
  idempotencyKeyChars: 200,
  requestsPerUrlPerMinute: 60,
  requestsPerCompanyPerHour: 1_000,
  requestsPerAddressPerMinute: 120,
  urlsPerCompany: 20,
  pathChars: 200,
  pathSteps: 12,
  nameChars: 200,
  keptValues: 10,
  keptValueChars: 1_000,
  shapeListItems: 3,
  shapeStringChars: 200,
  shapeKeptMs: 30 * DAY_MS,
  /** Timeouts that end a request whose headers or body arrive too slowly. */
  headersMs: 10 * SECOND_MS,
  requestMs: 15 * SECOND_MS,
} as const
