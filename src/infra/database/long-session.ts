import pg from 'pg'
import { connectionConfig, type Connection } from './connect.ts'
import { applySessionSettings } from './session-settings.ts'

/** Lock timeout, because a waiting lock request blocks others. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Opens one connection for work that may take hours, such as a backup: no statement has a timeout. Values have the
 * same text form whatever the server's settings are.
 */
export async function openLongSession(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionConfig(connection) })
  // A connection that breaks fails the statement that waits for it, not the process.
  client.on('error', () => {})
  await client.connect()
  await applySessionSettings(client, {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: String(LOCK_TIMEOUT_MS),
  })
  return client
}
