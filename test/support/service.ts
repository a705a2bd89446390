import { createTestDatabase } from './database.ts'
import { takeStandingDatabase } from './standing-database.ts'
import { CONNECTIONS, createWorldOn, type World, type WorldOptions } from './world.ts'

export { connectionUrl, type World } from './world.ts'

type Options = WorldOptions & {
  /** A copy that no other test file has used: for tests that watch connections, plans or very many rows. */
  hasOwnDatabase?: boolean
}

/** A world in an empty database, which the worker keeps for the next test file. */
export async function createWorld({ hasOwnDatabase, ...options }: Options = {}): Promise<World> {
  if (hasOwnDatabase) return createWorldOn(await createTestDatabase(), options)
  const database = await takeStandingDatabase()
  const opened = await database.open(Number(options.databasePool ?? CONNECTIONS))
  return createWorldOn(database, { database: opened, ...options })
}
