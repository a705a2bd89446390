import type { Connection } from '../../src/infra/database/connect.ts'
import { createTestDatabase } from './database.ts'
import { takeStandingDatabase } from './standing-database.ts'
import { CONNECTIONS, createWorldOn, type World, type WorldOptions } from './world.ts'

export { connectionUrl, type World } from './world.ts'

type Options = WorldOptions & {
  /** A copy that no other test file has used: for tests that watch connections, plans or very many rows. */
  hasOwnDatabase?: boolean
  /** Returns the connection by which the service reaches such a copy. */
  through?(behind: Connection): Promise<Connection>
}

/** Creates a world in an empty database, which the worker keeps for the next test file. */
export async function createWorld({
  hasOwnDatabase,
  through,
  ...options
}: Options = {}): Promise<World> {
  if (hasOwnDatabase || through) {
    const database = await createTestDatabase()
    const connection = (await through?.(database.connection)) ?? database.connection
    return createWorldOn({ ...database, connection }, options)
  }
  const database = await takeStandingDatabase()
  const opened = await database.open(Number(options.databasePool ?? CONNECTIONS))
  return createWorldOn(database, { database: opened, ...options })
}
