import type { Logger } from 'pino'
import { connectDatabase, type Connection, type Database } from './connect.ts'
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { explainDatabaseFault, explainFullDisk } from './explain-database-fault.ts'
import { migrate } from './migrate.ts'
import { requireSessions } from './require-sessions.ts'

export type OpenedDatabase = {
  database: Database
  /** The same database by connections of their own, for those who must be answered whatever is at work. */
  doors: Database
  /** For connections besides the pool's. */
  connection: Connection
  /** No other process can be at work on it: the data folder's lock is ours. */
  isOurs: boolean
  close(): Promise<void>
}

export type DatabaseConfig = {
  databaseUrl: string | null
  /** Connections of the process in all, but for those that listen. */
  databasePool: number
  dataFolder: string
}

/**
 * The database, migrated and ready: the operator's own, or the embedded one in the data folder.
 * `isLeftAsItIs`: whatever its tables are, they are not migrated.
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
  const ofDoors = connectionsOfDoors(config.databasePool)
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke')
  const database = connectDatabase({
    ...connection,
    poolSize: config.databasePool - ofDoors,
    onError,
  })
  // Whichever connection commits, one and the same service is told.
  const { afterCommit } = database
  const doors = { ...connectDatabase({ ...connection, poolSize: ofDoors, onError }), afterCommit }
  try {
    if (config.databaseUrl) await requireSessions(connection)
    if (isLeftAsItIs) await database.pool.query('select 1')
    const applied = isLeftAsItIs ? [] : await migrate(database.pool)
    if (applied.length > 0) log.info({ applied }, 'migrated')
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw config.databaseUrl
      ? explainDatabaseFault(error, config.databaseUrl)
      : await explainFullDisk(error, config.dataFolder)
  }
  return {
    database,
    doors,
    connection,
    isOurs: embedded !== null,
    async close() {
      await doors.close()
      await database.close()
      await embedded?.stop()
    },
  }
}

const MOST_OF_DOORS = 6

/** Of all connections the share that no work behind the doors can take: three of eight, six at most. */
function connectionsOfDoors(all: number): number {
  return Math.min(MOST_OF_DOORS, Math.floor((all * 3) / 8))
}
