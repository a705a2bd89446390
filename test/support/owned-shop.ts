/** Shops of a world that has several, each with its own owner. */
import { signedIn, type Member } from './dashboard.ts'
import { openWorld } from './open-world.ts'
import type { World } from './test-service.ts'
import { createOwnShop, type Shop } from './shop.ts'

/** Creates a shop besides the others of its world, and signs its owner in. */
export async function ownedShop(
  world: World,
  options?: Parameters<typeof createOwnShop>[1],
): Promise<{ shop: Shop; owner: Member }> {
  const shop = await createOwnShop(world, options)
  return { shop, owner: await signedIn(world, { accountId: shop.accountId }) }
}

/** Opens a world for all tests of a file, with a shop whose owner is signed in. */
export async function openOwnedShop(
  options?: Parameters<typeof openWorld>[0],
): Promise<{ world: World; shop: Shop; owner: Member }> {
  const world = await openWorld(options)
  return { world, ...(await ownedShop(world)) }
}
