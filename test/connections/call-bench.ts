/** Calls through connections to a merchant's API on loopback, with a new shop for each test. */
import { afterAll, beforeEach } from 'vitest'
import { makeCall, type Call, type CompletedCall } from '../../src/modules/connections/make-call.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { openWorld } from '../support/open-world.ts'
import { callsByDay, callsOf, setCallsToday } from '../support/records/calls.ts'
import { connectApi, json, startShopApi } from '../support/shop-api.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'

type Asked = Partial<Omit<Call, 'request'>> & { request?: Partial<Call['request']> }

export const post = { request: { method: 'POST' as const } }

/** Returns a request to a merchant's API, with usual values for all that a test does not choose. */
export const requestOf = (connectionId: string, more: Partial<Call['request']> = {}) => ({
  connectionId,
  method: 'GET' as const,
  path: '/orders/{{vars.id}}',
  query: [],
  headers: [],
  body: null,
  ...more,
})

/** Opens the shop's API and the functions that call it. `shop` is another one in each test. */
export async function openCallBench() {
  const world = await openWorld()
  const { context, keyRing } = world.service
  const api = await startShopApi(world)
  const outbound = createOutboundClient({
    resolve: async () => ['127.0.0.1'],
    isAllowedAddress: (address) => address === '127.0.0.1',
    extraCa: [world.receiver.certificate],
  })
  const bench = {
    world,
    api,
    shop: undefined as unknown as Shop,

    /** Makes a connection to the API, with a bearer token by default. Returns its id. */
    connect: (more: Partial<Parameters<typeof connectApi>[1]> = {}): Promise<string> =>
      connectApi(world, { companyId: bench.shop.companyId, baseUrl: api.baseUrl, ...more }),

    /** Makes a GET of /orders/7 as a step does, with usual values for all that a test does not choose. */
    call: (connectionId: string, { request, ...more }: Asked = {}): Promise<CompletedCall> =>
      makeCall(
        { ...context, keyRing, outbound },
        {
          companyId: bench.shop.companyId,
          request: requestOf(connectionId, request),
          fillings: { vars: { id: '7' } },
          source: { kind: 'step', runId: context.ids.uuid(), stepId: 'ask' },
          ...more,
        },
      ),

    /** Returns the number of attempts of the newest day. */
    usedToday: async () => (await callsByDay(world, bench.shop)).at(-1) ?? 0,
    useUp: (made: number) => setCallsToday(world, bench.shop, made),
    logged: () => callsOf(world, bench.shop),
  }
  afterAll(async () => {
    outbound.close()
    await api.close()
  })
  beforeEach(async () => {
    bench.shop = await createOwnShop(world)
    api.requests.length = 0
    api.reply(json(200))
  })
  return bench
}
