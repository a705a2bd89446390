/** Whatever is asked for under one's own company by the id of another's is not there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { HookUrlView } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { ResendJobView } from '../../src/contract/dashboard/resend-job.ts'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import { actionRequest, ORDER as ORDER_PARAMETER } from '../connections/action-world.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { deliveriesOf, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { connectApi } from '../support/shop-api.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let other: Shop
/** The owner of the account of the shop, and of the other one's. */
let owner: Member
let stranger: Member
/** What the other company has, by the name that routes give its id. */
const ids: Record<string, string> = { stepId: 'tell' }

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  owner = await signedIn(world, { accountId: shop.accountId })
  stranger = await signedIn(world, { accountId: other.accountId })
  const company = `/companies/${other.companyId}`
  ids.channelId = other.channelId
  ids.flowId = other.flowId
  ids.endpointId = other.endpointId
  ids.connectionId = world.service.context.ids.uuid()
  await connectApi(world, {
    id: ids.connectionId,
    companyId: other.companyId,
    baseUrl: new URL('/api', world.receiver.url).href,
  })
  const made = await stranger.ask<ActionView>('POST', `${company}/actions`, {
    toolName: 'order',
    description: 'Looks an order up.',
    request: actionRequest(ids.connectionId),
    parameters: [ORDER_PARAMETER],
  })
  ids.actionId = made.body.id
  const hooks = await stranger.ask<Page<HookUrlView>>('GET', `${company}/hook-urls`)
  ids.hookUrlId = hooks.body.items[0]!.id
  ids.runId = (await askHook(other.hookUrl)).id!
  await raisePings(world, other)
  await world.service.processAll()
  ids.deliveryId = (await deliveriesOf(world, other)).at(-1)!.id
  const job = await stranger.ask<ResendJobView>('POST', `${company}/resend-jobs`, {
    kind: 'resend',
    endpointId: other.endpointId,
  })
  if (job.status !== 201) throw new Error(`the job was answered ${job.status}`)
  ids.jobId = job.body.id
})
afterAll(() => world.close())

/** Bodies that the routes take. */
const INPUTS: Record<string, object> = {
  'PUT /companies/:companyId/flows/:flowId/draft': {
    channelId: '',
    trigger: { kind: 'manual' },
    start: 'tell',
    steps: ORDER_READY_STEPS,
  },
}

const ROUTES = assertAccessDeclared(nouns)
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => /^\w+ \/companies\/:companyId\/.*:/.test(route))

function fill(route: string, companyId: string): [string, string, object | undefined] {
  const [method = '', path = ''] = route.split(' ')
  const filled = path
    .replace(':companyId', companyId)
    .replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? `no ${name}`)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return [method, filled, hasBody ? (INPUTS[route] ?? {}) : undefined]
}

describe('By the id of another company', () => {
  test('every kind of id is tried', () => {
    const names = new Set(ROUTES.flatMap((route) => route.match(/(?<=:)\w+/g) ?? []))
    names.delete('companyId')
    expect([...names].filter((name) => !(name in ids))).toEqual([])
  })

  test.each(ROUTES)('nothing is found, changed or done: %s', async (route) => {
    const [method, path, input] = fill(route, shop.companyId)
    const answer = await owner.ask(method, path, input)
    expect([answer.status, answer.body?.code]).toEqual([404, 'not_found'])
  })

  test.each(ROUTES.filter((route) => route.startsWith('GET ')))(
    'its own members find it: %s',
    async (route) => {
      const [method, path] = fill(route, other.companyId)
      // A flow without a draft has none to check: 409.
      expect([200, 409]).toContain((await stranger.ask(method, path)).status)
    },
  )
})
