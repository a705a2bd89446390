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

/** Ends all that lets somebody in without a password, of all accounts: a backup has what was ended since it was made. */
export async function endWaysIn(db: Kysely<DB>): Promise<void> {
  for (const name of WAYS_IN) await db.deleteFrom(name).execute()
}
