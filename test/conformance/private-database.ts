import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/start-embedded-postgres.ts'
import { migrate } from '../../src/infra/database/migrate.ts'
import type { TestDatabase } from '../support/database.ts'
import { giveCluster } from '../support/made-cluster.ts'
import { quickFolder } from '../support/quick-folder.ts'

/**
 * Starts a server with a database in a temporary folder, which is deleted with it.
 * @param cluster The database cluster to copy, instead of making one: tests of the runner name theirs.
 */
export async function startPrivateDatabase(
  cluster = process.env.MADE_CLUSTER,
): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(quickFolder(), 'wasla-conformance-'))
  if (cluster !== undefined) await giveCluster(cluster, folder)
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    settings: { fsync: 'off', full_page_writes: 'off' },
  })
  const db = connectDatabase({ ...server.connection, applicationName: 'conformance' })
  await migrate(db.pool)
  return {
    connection: server.connection,
    db,
    async drop() {
      await db.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
