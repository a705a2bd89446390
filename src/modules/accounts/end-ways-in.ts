import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

const WAYS_IN = [
  'session',
  'pendingSignIn',
  'trustedDevice',
  'passwordReset',
  'invitation',
  'visitorTicket',
] as const

/**
 * Deletes every sign-in that works without a password, in all accounts: a restored backup contains those that ended
 * after it was made.
 */
export async function endWaysIn(db: Kysely<DB>): Promise<void> {
  for (const name of WAYS_IN) await db.deleteFrom(name).execute()
}
