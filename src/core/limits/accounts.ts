/** The numbers of plans, keys and e-mails, each with its unit in the name. */
import type { Plan } from '../vocabulary/accounts.ts'
import { SECOND_MS, MINUTE_MS } from './units.ts'

/** Internal limits of e-mails that carry notices. */
export const MAIL_LIMITS = {
  /** Time for one e-mail, from opening the connection to the server's last answer. */
  sendMs: 15 * SECOND_MS,
  /** Longest silence of the mail server. */
  silentMs: 10 * SECOND_MS,
  /** Lease of a notice while its e-mail is being sent. */
  leaseMs: 2 * MINUTE_MS,
  maxConcurrent: 4,
  /** Delay after each failed attempt; the last one is about a day after the first. */
  retryDelaysMs: [1, 5, 30, 2 * 60, 6 * 60, 15 * 60].map((minutes) => minutes * MINUTE_MS),
  /** Recipients of one e-mail of a notice. The other Owners get another one. */
  recipients: 50,
} as const

/** Page size of the job that encrypts secrets again with another key. */
export const REENCRYPT = { rowsPerStatement: 200 } as const

/** Values of a table that a key may fail to open before the start reports the wrong key. */
export const KEY_CHECK = { valuesTried: 10 } as const

/** The features of each plan, and its numbers of flows and of automated templates a UTC day. Spec: Concepts › Plans. */
export const PLAN_LIMITS: Record<
  Plan,
  { developer: boolean; automations: boolean; flows: number; templatesPerDay: number }
> = {
  free: { developer: false, automations: false, flows: 0, templatesPerDay: 0 },
  starter: { developer: false, automations: false, flows: 0, templatesPerDay: 0 },
  pro: { developer: false, automations: true, flows: 5, templatesPerDay: 0 },
  business: { developer: true, automations: true, flows: 25, templatesPerDay: 1_000 },
}
