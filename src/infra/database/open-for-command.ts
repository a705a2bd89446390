import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { connectDatabase } from './connect.ts'
import { EMBEDDED_DATABASE } from './embedded/start-embedded-postgres.ts'
import { findOtherPostmaster, SERVER_PORT, EMBEDDED_ROLE } from './embedded/running-postmaster.ts'
import { chooseServerUser } from './embedded/server-user.ts'
import { openDatabase, type DatabaseConfig, type OpenedDatabase } from './open-database.ts'

/**
 * Opens the database for a command that may run while the service does. A running embedded server is used; otherwise
 * it is started, and stopped afterwards. With `skipsMigrations` it is not migrated.
 */
export async function openDatabaseForCommand(
  config: DatabaseConfig,
  log: Logger,
  options: { skipsMigrations?: boolean } = {},
): Promise<Pick<OpenedDatabase, 'database' | 'connection' | 'close'>> {
  if (config.databaseUrl === null) {
    const dataFolder = await realpath(config.dataFolder).catch(() => config.dataFolder)
    const cluster = join(dataFolder, 'postgres')
    const user = await chooseServerUser([cluster, dataFolder, dirname(dataFolder)])
    const running = await findOtherPostmaster(cluster, user)
    if (running) {
      const connection = {
        host: running.socketFolder,
        port: SERVER_PORT,
        user: EMBEDDED_ROLE,
        database: EMBEDDED_DATABASE,
      }
      const database = connectDatabase({ ...connection, poolSize: 2 })
      return { database, connection, close: () => database.close() }
    }
  }
  return openDatabase(config, log, options)
}
