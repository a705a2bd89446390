import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import { addFlow } from '../support/add-flow.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(() => world.close())

test('An Agent sees the flows and their versions, and changes none of them', async () => {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const flows = `/companies/${shop.companyId}/flows`
  const { flowId } = await addFlow(world, shop)
  const flow = `${flows}/${flowId}`
  for (const path of [flows, flow, `${flow}/versions`, `${flow}/versions/1`]) {
    expect([path, (await agent.ask('GET', path)).status]).toEqual([path, 200])
  }
  const { published } = (await agent.ask<FlowDetail>('GET', flow)).body
  const changes = [
    ['PATCH', flow, { isOn: false }],
    ['PUT', `${flow}/draft`, published!.definition],
    ['POST', `${flow}/publish`, undefined],
    ['DELETE', flow, undefined],
    ['GET', `${flow}/draft/check`, undefined],
  ] as const
  for (const [method, path, json] of changes) {
    expect([path, (await agent.ask(method, path, json)).status]).toEqual([path, 403])
  }
})
