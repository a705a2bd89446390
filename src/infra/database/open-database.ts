import type { Logger } from 'pino'
import { connectDatabase, type Connection, type Database } from './connect.ts'
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { explainDatabaseFault, explainFullDisk } from './explain-database-fault.ts'
import { migrate } from './migrate.ts'
import { requireSessions } from './require-sessions.ts'

export type OpenedDatabase = {
  database: Database
  /** The same database with separate connections for requests, which must be answered under any load of the workers. */
  requestDatabase: Database
  /** The address for connections outside of the pools. */
  connection: Connection
  /** True when this process holds the data folder's lock, so that no other process can use the database. */
  isOurs: boolean
  close(): Promise<void>
}

export type DatabaseConfig = {
  databaseUrl: string | null
  /** Connections of the process in total, without those that listen. */
  databasePool: number
  dataFolder: string
}

/**
 * Opens the database, migrated and ready: the operator's own, or the embedded one in the data folder. With
 * `isLeftAsItIs` it is not migrated.
 * @throws in words for the operator, where the server of `DATABASE_URL` cannot be used
 */
export async function openDatabase(
  config: DatabaseConfig,
  log: Logger,
  { isLeftAsItIs = false }: { isLeftAsItIs?: boolean } = {},
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
    if (isLeftAsItIs) await database.pool.query('select 1')
    const applied = isLeftAsItIs ? [] : await migrate(database.pool)
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
    isOurs: embedded !== null,
    async close() {
      await requestDatabase.close()
      await database.close()
      await embedded?.stop()
    },
  }
}

const MAX_FOR_REQUESTS = 6

/** Returns the number of connections that are reserved for requests: three of eight, at most six. */
function connectionsForRequests(all: number): number {
  return Math.min(MAX_FOR_REQUESTS, Math.floor((all * 3) / 8))
}
