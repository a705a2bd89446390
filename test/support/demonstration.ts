/** The demonstration as tests start it: on a database and in a folder of its own, at ports that are free. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { readConfig, type Config } from '../../src/app/config.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { connectionUrl } from './world.ts'

/** For one test, or with `afterAll` for all of a file; database and folder are gone after it. */
export async function demonstrationConfig(
  whenOver: (close: () => Promise<void>) => void = onTestFinished,
): Promise<{
  config: Config
  database: TestDatabase
  folder: string
  settings: Record<string, string>
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-demonstration-'))
  const database = await createTestDatabase()
  whenOver(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const settings = {
    DATABASE_URL: connectionUrl(database.connection),
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
    LOG_LEVEL: 'silent',
  }
  return { config: readConfig(settings, [], folder), database, folder, settings }
}
