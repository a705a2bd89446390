import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { AfterCommit } from './after-commit.ts'
import { IGNORE_LIBPQ_ENV } from './ignore-libpq-env.ts'
import { createStatementPreparer } from './prepare-statements.ts'
import { applySessionSettings } from './session-settings.ts'
import type { DB } from './tables.ts'

/** The address of the database: a URL or its parts. `host` may be the folder of a Unix socket. */
export type Connection = {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  password?: string
  database?: string
}

/** The address of the database, and the settings of a pool of connections to it. */
export type ConnectOptions = Connection & {
  /** Maximum number of connections, 10 by default. */
  poolSize?: number
  /** The name in `pg_stat_activity`. */
  applicationName?: string
  /** Receives the error of an idle connection that broke, which the pool replaces. */
  onError?: (error: Error) => void
}

/** A pool of connections with its query builder and the receivers of its after-commit notifications. */
export type Database = {
  kysely: Kysely<DB>
  pool: pg.Pool
  afterCommit: AfterCommit
  close(): Promise<void>
}

const OLDEST_SERVER_MAJOR = 15
/** Timeout of opening a connection. */
const CONNECT_TIMEOUT_MS = 2_000
/**
 * Longest wait for a free connection, as long as for a lock. Failing earlier on a slow machine would repeat the work,
 * and leave a run until its lease ends.
 */
const POOL_TIMEOUT_MS = 10_000
/** The server ends a statement after this long; the client gives up on a silent server a bit later. */
const STATEMENT_TIMEOUT_MS = 30_000
const QUERY_TIMEOUT_MS = 35_000
const LOCK_TIMEOUT_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
const IDLE_CONNECTION_MS = 60_000

/**
 * Creates a pool of connections and the typed query builder on top of it. It connects when first used, and refuses a
 * server older than 15. Snake case in SQL is camel case in TypeScript; keys inside JSON values are unchanged.
 */
export function connectDatabase(options: ConnectOptions): Database {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    connectionTimeoutMillis: POOL_TIMEOUT_MS,
    Client: PooledClient,
    query_timeout: QUERY_TIMEOUT_MS,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool does wait for it
    onConnect: prepareSession,
  })
  let isClosing = false
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool closes without waiting; a stopping server may still report its shutdown.
    if (isClosing) return
    // The pool attaches the whole connection, with all of its statements, to the error.
    delete error.client
    options.onError?.(error)
  })
  // A connection also reports its end while it is in use. Its query fails anyway, and without a listener the report
  // would end the process.
  const prepareStatements = createStatementPreparer()
  pool.on('connect', (client) => {
    client.on('error', () => {})
    prepareStatements(client)
  })
  // The driver gave up on the statement of this connection, but the next statement would wait behind it forever.
  pool.on('release', (_error, client) => {
    if (!isReady(client)) void client.end()
  })
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  return {
    kysely,
    pool,
    afterCommit: { notify() {}, releaseClaims() {}, deliveryDispatcher: null, runDispatcher: null },
    async close() {
      isClosing = true
      await kysely.destroy()
      // Kysely ends the pool only if it has used it; an idle connection would keep the process alive.
      if (!pool.ending) await pool.end()
    },
  }
}

/** A connection with a separate timeout for connecting: the pool has only one, for waiting and for connecting. */
class PooledClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    // The pool hides the password when its settings are inspected.
    const { password } = config
    super({
      ...config,
      ...(password !== undefined && { password }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
  }
}

/** Returns whether a connection waits for no response, by an internal flag of the driver. */
function isReady(client: pg.PoolClient): boolean {
  return (client as { readyForQuery?: boolean }).readyForQuery !== false
}

/** Returns the driver's settings for a connection, which pools and single connections share. */
export function connectionConfig(
  options: Connection & { applicationName?: string },
): pg.ClientConfig {
  const { connectionString, host, port, user, password, database } = options
  return {
    ...(connectionString === undefined ? IGNORE_LIBPQ_ENV : { connectionString }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    application_name: options.applicationName ?? 'wasla',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
  }
}

/** Sets the settings of a connection, and refuses a server that is too old, in one round trip. */
async function prepareSession(client: pg.ClientBase): Promise<void> {
  const server = await applySessionSettings(client, {
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    lock_timeout: String(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
  })
  if (server.number < OLDEST_SERVER_MAJOR * 10_000) {
    throw new Error(
      `Wasla needs PostgreSQL ${OLDEST_SERVER_MAJOR} or newer; the server of DATABASE_URL is ${server.version}`,
    )
  }
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, parseInt8)

/** Parses a bigint: as a number, or as a bigint where a number would lose digits. */
function parseInt8(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
