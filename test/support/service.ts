import { createTestDatabase } from './database.ts'
import { createWorldOn, type World, type WorldOptions } from './world.ts'

export { connectionUrl, type World } from './world.ts'

/** A world on a database of its own. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  return createWorldOn(await createTestDatabase(), options)
}
