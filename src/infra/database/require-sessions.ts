import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionConfig, type Connection } from './connect.ts'

const MARK = 'wasla.session'
/** A pooler gives the connection that was used last, or the next of a few. */
const OTHERS = 6

/**
 * Throws when a pooler gives each transaction another session, as PgBouncer does in transaction mode. Settings,
 * prepared statements, locks and notifications of a session do not work there.
 */
export async function requireSessions(connection: Connection): Promise<void> {
  const clients: pg.Client[] = []
  const open = async () => {
    const client = new pg.Client(connectionConfig(connection))
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const client = await open()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // The process number of the handshake is the server's own, so that no pooler is in between.
    if ((client as { processID?: unknown }).processID === rows[0]!.pid) return
    const token = randomUUID()
    await client.query('select set_config($1, $2, false)', [MARK, token])
    const marks = []
    for (let nth = 0; nth < OTHERS; nth += 1) marks.push(await markIn(await open(), 'begin'))
    if (!marks.includes(token) && (await markIn(client)) === token) return
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
  throw new Error(
    'DATABASE_URL leads through a pooler that gives each transaction another session, such as PgBouncer in ' +
      'transaction mode: point DATABASE_URL at the server itself, or let the pooler pool by session',
  )
}

async function markIn(client: pg.Client, first?: string): Promise<string | null> {
  if (first !== undefined) await client.query(first)
  const { rows } = await client.query<{ mark: string | null }>(
    'select current_setting($1, true) as mark',
    [MARK],
  )
  return rows[0]!.mark
}
