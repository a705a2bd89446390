/**
 * Worlds for all tests of one file: opened where the file begins, closed after its last test. A file says
 * `const { world, whatsApp } = await openWhatsApp()` at its top.
 */
import { randomBytes } from 'node:crypto'
import { afterAll } from 'vitest'
import { createTestDatabase } from './database.ts'
import { createWorld, type World } from './test-service.ts'
import { createWorldOn } from './world.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from './simulator.ts'

/** Creates a world with its own data, and closes it after the tests of the file. */
export async function openWorld(options?: Parameters<typeof createWorld>[0]): Promise<World> {
  const world = await createWorld(options)
  afterAll(() => world.close())
  return world
}

/** Creates a world whose provider is the WhatsApp simulator, and closes both after the tests of the file. */
export async function openWhatsApp(
  options?: Parameters<typeof createWorld>[0],
  simulated?: Parameters<typeof simulateWhatsApp>[1],
): Promise<{ world: World; whatsApp: SimulatedWhatsApp }> {
  const world = await openWorld(options)
  const whatsApp = await simulateWhatsApp(world, simulated)
  // Hooks run in the reverse order: the simulator closes before its world.
  afterAll(() => whatsApp.close())
  return { world, whatsApp }
}

/**
 * Creates two nodes of one service on a new database, the first of them with the WhatsApp simulator, and closes
 * all after the tests of the file.
 */
export async function openTwoNodes(): Promise<{
  world: World
  other: World
  whatsApp: SimulatedWhatsApp
}> {
  const database = await createTestDatabase()
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  const options = { encryptionKeys, databasePool: '8' }
  const world = await createWorldOn(database, options)
  const { clock, baseUrls: providerBaseUrls } = world
  const shared = { ...options, clock, providerBaseUrls }
  const other = await createWorldOn({ ...database, drop: async () => {} }, shared)
  const whatsApp = await simulateWhatsApp(world)
  afterAll(async () => {
    await whatsApp.close()
    await other.close()
    await world.close()
  })
  return { world, other, whatsApp }
}
