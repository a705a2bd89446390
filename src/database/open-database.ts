import type { Logger } from 'pino'
import { connectDatabase, type Connection, type Database } from './connect.ts'
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { explainDatabaseFault } from './explain-database-fault.ts'
import { migrate } from './migrate.ts'

export type OpenedDatabase = {
  database: Database
  /** For connections besides the pool's. */
  connection: Connection
  /** No other process can be at work on it: the data folder's lock is ours. */
  isOurs: boolean
  close(): Promise<void>
}

export type DatabaseConfig = {
  databaseUrl: string | null
  databasePool: number
  dataFolder: string
}

/**
 * The database, migrated and ready: the operator's own, or the embedded one in the data folder.
 * `isLeftAsItIs`: whatever its tables are, they are not migrated.
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
  const database = connectDatabase({
    ...connection,
    poolSize: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  try {
    const applied = isLeftAsItIs ? [] : await migrate(database.pool)
    if (applied.length > 0) log.info({ applied }, 'migrated')
  } catch (error) {
    await database.close()
    await embedded?.stop()
    throw config.databaseUrl ? explainDatabaseFault(error, config.databaseUrl) : error
  }
  return {
    database,
    connection,
    isOurs: embedded !== null,
    async close() {
      await database.close()
      await embedded?.stop()
    },
  }
}
