/**
 * A service as far as the database is concerned, for tests that start and kill it: `node own-data-folder.ts
 * <data folder> [cache folder]`. Prints one line of JSON when its database is up, and ends on SIGTERM.
 */
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/start-embedded-postgres.ts'

const [dataFolder = '', cacheFolder] = process.argv.slice(2)

const server = await startEmbeddedPostgres({
  dataFolder,
  ...(cacheFolder !== undefined && { cacheFolder }),
  settings: { fsync: 'off' },
}).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
process.once('SIGTERM', () => {
  void server.stop()
})
console.log(JSON.stringify({ connection: server.connection, pid: server.pid }))
