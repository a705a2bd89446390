/** The demonstration as tests start it: with its own database and folder, at free ports. */
import { onTestFinished } from 'vitest'
import { makeFolder } from './own-folder.ts'
import { readConfig } from '../../src/app/config.ts'
import { createTestDatabase } from './database.ts'
import { connectionUrl } from './world.ts'

/**
 * Returns a configuration for one test, or with `afterAll` for all tests of a file. Database and folder are
 * removed afterwards.
 */
export async function demonstrationConfig(
  whenOver: (close: () => void | Promise<void>) => void = onTestFinished,
) {
  const folder = makeFolder('demonstration', whenOver)
  const database = await createTestDatabase()
  whenOver(() => database.drop())
  const settings: Record<string, string> = {
    DATABASE_URL: connectionUrl(database.connection),
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
    LOG_LEVEL: 'silent',
  }
  return { config: readConfig(settings, [], folder), database, folder, settings }
}
