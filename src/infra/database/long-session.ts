import pg from 'pg'
import { connectionConfig, type Connection } from './connect.ts'
import { setSession } from './session-settings.ts'

/** Who waits for a lock longer than this is in the way of others. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * One connection for work that may take hours, such as a backup: no statement of it is ended for its
 * length. Values read as the same text whatever the server's own settings are.
 */
export async function openLongSession(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionConfig(connection) })
  // A connection that breaks fails the statement that waits for it, not the process.
  client.on('error', () => {})
  await client.connect()
  await setSession(client, {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: String(LOCK_TIMEOUT_MS),
  })
  return client
}
