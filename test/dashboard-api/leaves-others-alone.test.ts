/** What is done to one thing of a company is done to that one alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentialsPlace } from '../../src/channels/load-channel.ts'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { HookUrlView } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { addFlow } from '../support/add-flow.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { connectApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
/** By the noun of the route: the one that things are done to. Beside each there is another. */
const one: Record<string, string> = {}

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  const company = `/companies/${shop.companyId}`
  one.flows = (await addFlow(world, shop)).flowId
  one.endpoints = await addEndpoint(world, shop)
  for (let made = 0; made < 2; made += 1) {
    one.connections = world.service.context.ids.uuid()
    await connectApi(world, {
      id: one.connections,
      companyId: shop.companyId,
      baseUrl: new URL('/api', world.receiver.url).href,
    })
  }
  // The other connection is free of the actions, so that the one can be deleted at the end.
  for (const toolName of ['first', 'second']) {
    const action = await owner.ask<ActionView>('POST', `${company}/actions`, {
      toolName,
      description: 'Looks an order up.',
      request: actionRequest(one.connections!),
      parameters: [ORDER],
    })
    one.actions = action.body.id
  }
  one['free-connections'] = world.service.context.ids.uuid()
  await connectApi(world, {
    id: one['free-connections'],
    companyId: shop.companyId,
    baseUrl: new URL('/api', world.receiver.url).href,
  })
  const hooks = await owner.ask<Page<HookUrlView>>('GET', `${company}/hook-urls`)
  one['hook-urls'] = hooks.body.items.find(({ flow }) => flow.id === one.flows)!.id
  const second = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  one.channels = second.channelId
  const credentials = world.service.keyRing.encrypt(
    JSON.stringify({ accessToken: 'token', appSecret: 'secret', verifyToken: 'verify-token' }),
    credentialsPlace(second.channelId, shop.companyId),
  )
  await world.database.db.kysely
    .updateTable('channel')
    .set({ companyId: shop.companyId, credentials })
    .where('id', '=', second.channelId)
    .execute()
  await world.database.db.kysely
    .deleteFrom('template')
    .where('channelId', '=', second.channelId)
    .execute()
  await raisePings(world, shop)
})
afterAll(() => world.close())

/** Every row of the company and its like that tells of something else. */
async function othersThan(id: string): Promise<unknown[]> {
  const tables: [string, string][] = [
    ...['endpoint', 'hook_url', 'api_connection', 'ai_action', 'channel', 'flow'].map(
      (table): [string, string] => [table, 'id'],
    ),
    ...['endpoint_secret', 'endpoint_health', 'webhook_delivery'].map((table): [string, string] => [
      table,
      'endpoint_id',
    ]),
    ['flow_version', 'flow_id'],
  ]
  const rows = []
  for (const [table, column] of tables) {
    const found = await world.database.db.pool.query(
      `select to_jsonb(t) as row from ${table} t where ${column} <> $1 order by to_jsonb(t)::text`,
      [id],
    )
    rows.push([table, found.rows])
  }
  return rows
}

describe('The others stay as they are when of two', () => {
  test.each<[string, string, string, object?]>([
    ['endpoints', 'PATCH', '', { name: 'Renamed', eventTypes: ['ping'] }],
    ['endpoints', 'POST', '/secret/rotate'],
    ['endpoints', 'POST', '/secret/rotate'],
    ['endpoints', 'POST', '/secret/retire-old'],
    ['endpoints', 'POST', '/switch-off'],
    ['endpoints', 'POST', '/switch-on'],
    ['endpoints', 'DELETE', ''],
    ['actions', 'PATCH', '', { description: 'Another.', isOn: false }],
    ['actions', 'DELETE', ''],
    ['connections', 'PATCH', '', { name: 'Renamed' }],
    ['connections', 'POST', '/switch-off'],
    ['connections', 'POST', '/switch-on'],
    ['free-connections', 'DELETE', ''],
    ['hook-urls', 'POST', '/replace'],
    ['hook-urls', 'DELETE', ''],
    ['flows', 'PATCH', '', { name: 'Renamed', isOn: false }],
    ['flows', 'DELETE', ''],
    ['channels', 'PATCH', '', { name: 'Renamed' }],
    ['channels', 'POST', '/disconnect'],
    ['channels', 'DELETE', ''],
  ])('%s one gets %s %s', async (noun, method, action, input) => {
    const id = one[noun]!
    const before = await othersThan(id)
    world.clock.advance(1_000)
    const path = `/companies/${shop.companyId}/${noun.replace('free-', '')}/${id}${action}`
    const answer = await owner.ask(method, path, input ?? (method === 'POST' ? {} : undefined))
    expect([answer.status, answer.body]).toEqual([
      method === 'DELETE' ? 204 : 200,
      method === 'DELETE' ? null : expect.anything(),
    ])
    expect(await othersThan(id)).toEqual(before)
  })
})
