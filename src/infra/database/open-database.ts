import type { Logger } from 'pino'
import { connectDatabase, type Connection, type Database, connectionConfig } from './connect.ts'
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { explainDatabaseFault, explainFullDisk } from './explain-database-fault.ts'
import { migrate } from './migrate.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** The setting by which a session is recognised. */
const MARK = 'wasla.session'
/** Number of other connections that are tested: a pooler reuses the last connection, or one of a few. */
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
    // The handshake named the server's own process number, so there is no pooler in between.
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

/** An open database with its two pools. */
export type OpenedDatabase = {
  database: Database
  /** The same database with separate connections for requests, which must be answered under any load of the workers. */
  requestDatabase: Database
  /** The address for connections outside of the pools. */
  connection: Connection
  /** True when this process holds the data folder's lock, so that no other process can use the database. */
  isExclusive: boolean
  close(): Promise<void>
}

/** The settings of the database. */
export type DatabaseConfig = {
  /** Null for the embedded server in `dataFolder`. */
  databaseUrl: string | null
  /** Connections of the process in total, without those that listen. */
  databasePool: number
  dataFolder: string
}

/**
 * Opens the database, migrated and ready: the operator's own, or the embedded one in the data folder. With
 * `skipsMigrations` it is not migrated.
 * @throws in words for the operator, where the server of `DATABASE_URL` cannot be used
 */
export async function openDatabase(
  config: DatabaseConfig,
  log: Logger,
  { skipsMigrations = false }: { skipsMigrations?: boolean } = {},
): Promise<OpenedDatabase> {
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({
        dataFolder: config.dataFolder,
        log: (message) => log.warn(message),
      })
  const connection: Connection = embedded?.connection ?? { connectionString: config.databaseUrl! }
  const requestPoolSize = connectionsForRequests(config.databasePool)
  const onError = (error: Error) =>
    log.warn({ err: error }, 'idle database connection lost: the pool replaces it')
  const database = connectDatabase({
    ...connection,
    poolSize: config.databasePool - requestPoolSize,
    onError,
  })
  // Both pools notify the same service after a commit.
  const { afterCommit } = database
  const requestDatabase = {
    ...connectDatabase({ ...connection, poolSize: requestPoolSize, onError }),
    afterCommit,
  }
  try {
    if (config.databaseUrl) await requireSessions(connection)
    if (skipsMigrations) await database.pool.query('select 1')
    const applied = skipsMigrations ? [] : await migrate(database.pool)
    if (applied.length > 0) log.info({ applied }, 'database migrated')
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw config.databaseUrl
      ? explainDatabaseFault(error, config.databaseUrl)
      : await explainFullDisk(error, config.dataFolder)
  }
  return {
    database,
    requestDatabase,
    connection,
    isExclusive: embedded !== null,
    async close() {
      await requestDatabase.close()
      await database.close()
      await embedded?.stop()
    },
  }
}

const MAX_FOR_REQUESTS = 6

/** Returns the number of connections that are reserved for requests: three eighths of all, at most six. */
function connectionsForRequests(all: number): number {
  return Math.min(MAX_FOR_REQUESTS, Math.floor((all * 3) / 8))
}
