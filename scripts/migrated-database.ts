/** A temporary PostgreSQL with the schema of all migrations, for scripts that read it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase, type Database } from '../src/infra/database/connect.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { migrate } from '../src/infra/database/migrate.ts'

/** Runs a function on a new, migrated database, which is then removed. Returns the function's result. */
export async function withMigratedDatabase<Result>(
  read: (db: Database) => Promise<Result>,
): Promise<Result> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wasla-schema-'))
  try {
    const server = await startEmbeddedPostgres({ dataFolder, settings: { fsync: 'off' } })
    try {
      const db = connectDatabase({ ...server.connection, poolSize: 2 })
      try {
        await migrate(db.pool)
        return await read(db)
      } finally {
        await db.close()
      }
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}
