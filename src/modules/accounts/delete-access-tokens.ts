import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** The tables whose rows sign a person or visitor in, or let them choose a password. */
const TOKEN_TABLES = [
  'session',
  'pendingSignIn',
  'trustedDevice',
  'passwordReset',
  'invitation',
  'visitorTicket',
] as const

/**
 * Deletes everything that signs in without a password, such as sessions and links, in all accounts: a restored backup
 * contains what ended after it was made.
 */
export async function deleteAccessTokens(db: Kysely<DB>): Promise<void> {
  for (const name of TOKEN_TABLES) await db.deleteFrom(name).execute()
}
