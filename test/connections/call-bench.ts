/** Calls through connections to a merchant's API on loopback, each test in a shop of its own. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { authColumns } from '../../src/connections/create-connection.ts'
import { makeCall, type Call, type CallMade } from '../../src/connections/make-call.ts'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import { createOutboundClient, type OutboundClient } from '../../src/outbound/outbound-client.ts'
import { createWorld, type World } from '../support/service.ts'
import { json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'

export const TOKEN = 'sk_live_credential_of_the_shop'

type Settings = {
  auth?: ConnectionAuth
  headers?: { name: string; value: string }[]
  baseUrl?: string
  timeoutMs?: number
  isOn?: boolean
  companyId?: string
}

type Asked = Partial<Omit<Call, 'request'>> & { request?: Partial<Call['request']> }

export const post = { request: { method: 'POST' as const } }

/** What a file of tests calls with; `shop` is another one in each test. */
export function callBench() {
  let outbound: OutboundClient
  let shops = 0
  const bench = {
    world: undefined as unknown as World,
    api: undefined as unknown as ShopApi,
    shop: undefined as unknown as Shop,

    /** Makes a connection, with a bearer token unless told. Returns its id. */
    async connect({ auth, headers, baseUrl, timeoutMs, isOn, companyId }: Settings = {}) {
      const { service, clock, database } = bench.world
      const id = service.context.ids.uuid()
      const owner = { id, companyId: companyId ?? bench.shop.companyId }
      const now = clock.now()
      await database.db.kysely
        .insertInto('apiConnection')
        .values({
          ...owner,
          name: 'Shop system',
          baseUrl: baseUrl ?? bench.api.baseUrl,
          ...authColumns(service.keyRing, owner, auth ?? { kind: 'bearer', token: TOKEN }),
          headers: JSON.stringify(headers ?? []),
          timeoutMs: timeoutMs ?? 10_000,
          isOn: isOn ?? true,
          createdAt: now,
          updatedAt: now,
        })
        .execute()
      return id
    },

    /** A GET of /orders/7 by a step; what a test does not name is ordinary. */
    call(connectionId: string, { request, ...more }: Asked = {}): Promise<CallMade> {
      const { context, keyRing } = bench.world.service
      return makeCall(
        { ...context, keyRing, outbound },
        {
          companyId: bench.shop.companyId,
          request: {
            connectionId,
            method: 'GET',
            path: '/orders/{{vars.id}}',
            query: [],
            headers: [],
            body: null,
            ...request,
          },
          fillings: { vars: { id: '7' } },
          source: { kind: 'step', runId: context.ids.uuid(), stepId: 'ask' },
          ...more,
        },
      )
    },

    /** Attempts of the day, counted; and set to a number. */
    async usedToday(): Promise<number> {
      const row = await bench.world.database.db.kysely
        .selectFrom('callDay')
        .select('made')
        .where('accountId', '=', bench.shop.accountId)
        .where('day', '=', new Date(bench.world.clock.now().toISOString().slice(0, 10)))
        .executeTakeFirst()
      return row?.made ?? 0
    },
    useUp: (made: number) =>
      bench.world.database.db.kysely
        .insertInto('callDay')
        .values({ accountId: bench.shop.accountId, day: bench.world.clock.now(), made })
        .onConflict((row) => row.columns(['accountId', 'day']).doUpdateSet({ made }))
        .execute(),

    logged: () =>
      bench.world.database.db.kysely
        .selectFrom('callLog')
        .selectAll()
        .where('companyId', '=', bench.shop.companyId)
        .orderBy('id')
        .execute(),
  }

  beforeAll(async () => {
    bench.world = await createWorld()
    bench.api = await startShopApi(bench.world)
    outbound = createOutboundClient({
      resolve: async () => ['127.0.0.1'],
      isAllowedAddress: (address) => address === '127.0.0.1',
      extraCa: [bench.world.receiver.certificate],
    })
  })
  afterAll(async () => {
    outbound.close()
    await bench.api.close()
    await bench.world.close()
  })
  beforeEach(async () => {
    const number = String(++shops)
    bench.shop = await createShop(bench.world, { phoneNumberId: number, businessAccountId: number })
    bench.api.requests.length = 0
    bench.api.reply(json(200))
  })
  return bench
}
