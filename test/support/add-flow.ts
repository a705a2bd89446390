import { addFlowTo, addFlowVersion, definitionOf } from './records/flows.ts'
import { addHook } from './records/hooks.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'

/**
 * Copies the shop's published flow into a new flow of the same company, on the same channel or another one,
 * with its own hook URL. Returns what differs from the shop.
 */
export async function addFlow(
  world: Pick<World, 'service' | 'url'>,
  shop: Shop,
  channelId = shop.channelId,
): Promise<{ flowId: string; hookUrl: string }> {
  const hookToken = `hook_${world.service.context.ids.token(32)}`
  const { trigger, ...design } = await definitionOf<{ trigger: { kind: string } }>(world, shop)
  const { flowId } = await addFlowTo(world, shop, { name: 'Another flow' })
  const definition = { ...design, trigger, channelId }
  const version = { definition, number: 1, channelId, triggerKind: trigger.kind }
  await addFlowVersion(world, { ...shop, flowId }, version)
  await addHook(world, { ...shop, flowId }, hookToken)
  return { flowId, hookUrl: `${world.url}/hooks/${hookToken}` }
}
