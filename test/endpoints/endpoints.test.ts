import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import type {
  EndpointHealthView,
  EndpointView,
  SwitchedEndpoint,
} from '../../src/contract/dashboard/endpoint.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HEALTH_GRAPH } from '../../src/limits/deliveries.ts'
import { HOUR_MS } from '../../src/limits/units.ts'
import type { DeliveryState } from '../../src/vocabulary/deliveries.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
let shops = 0

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

beforeEach(async () => {
  shops += 1
  shop = await createShop(world, { phoneNumberId: `p${shops}`, businessAccountId: `b${shops}` })
  owner = await signedIn(world, { accountId: shop.accountId })
})

const endpoints = () => `/companies/${shop.companyId}/endpoints`
const endpoint = () => `${endpoints()}/${shop.endpointId}`

const show = async () => (await owner.ask<EndpointView>('GET', endpoint())).body

async function addDeliveries(
  states: readonly DeliveryState[],
  endpointId = shop.endpointId,
): Promise<string[]> {
  const { ids, clock } = world.service.context
  const { kysely } = world.database.db
  const eventId = ids.uuid()
  await kysely
    .insertInto('event')
    .values({ id: eventId, companyId: shop.companyId, type: 'ping', occurredAt: clock.now() })
    .execute()
  const deliveryIds = states.map(() => ids.uuid())
  await kysely
    .insertInto('webhookDelivery')
    .values(
      states.map((state, at) => ({
        id: deliveryIds[at]!,
        companyId: shop.companyId,
        endpointId,
        eventId,
        bodyId: eventId,
        apiVersion: '2026-10',
        kind: 'event',
        state,
        dueAt: state === 'pending' ? new Date(clock.now().getTime() + HOUR_MS) : null,
        createdAt: clock.now(),
      })),
    )
    .execute()
  return deliveryIds
}

describe('Switching an endpoint', () => {
  test('off by a member says so and what to do', async () => {
    const off = await owner.ask<EndpointView>('POST', `${endpoint()}/switch-off`)
    expect(off.body).toMatchObject({
      isOn: false,
      off: {
        reason: 'by_member',
        at: world.clock.now().toISOString(),
        message: { text: expect.stringMatching(/switch it on/i) },
      },
    })
    world.clock.advance(1_000)
    const again = await owner.ask<EndpointView>('POST', `${endpoint()}/switch-off`)
    expect(again.body).toEqual(off.body)
  })

  test.each([
    ['failures_in_row', /100 times in a row/],
    ['failing_for_days', /for 3 days/],
    ['gone', /410/],
  ])('off by the service for %s is told in words', async (reason, words) => {
    await world.database.db.kysely
      .updateTable('endpoint')
      .set({ isOn: false, offReason: reason, offAt: world.clock.now() })
      .where('id', '=', shop.endpointId)
      .execute()
    const { off } = await show()
    expect(off).toMatchObject({ reason, message: { text: expect.stringMatching(words) } })
  })

  test('on begins its row of failures anew, sends nothing by itself and says how many are held', async () => {
    await owner.ask('POST', `${endpoint()}/switch-off`)
    await addDeliveries(['held', 'held', 'delivered', 'expired'])
    const { kysely } = world.database.db
    await kysely
      .updateTable('endpointHealth')
      .set({
        failuresInRow: 100,
        failingSince: world.clock.now(),
        warnedAt: world.clock.now(),
        lastFailureAt: world.clock.now(),
      })
      .where('endpointId', '=', shop.endpointId)
      .execute()
    const on = await owner.ask<SwitchedEndpoint>('POST', `${endpoint()}/switch-on`)
    expect(on.body).toMatchObject({
      held: { count: 2, isMore: false },
      message: { text: expect.stringContaining('Held deliveries: 2.') },
      endpoint: { isOn: true, off: null, failuresInRow: 0, failingSince: null },
    })
    expect(on.body.endpoint.lastFailureAt).toBe(world.clock.now().toISOString())
    const health = await kysely
      .selectFrom('endpointHealth')
      .select('warnedAt')
      .where('endpointId', '=', shop.endpointId)
      .executeTakeFirstOrThrow()
    expect(health.warnedAt).toBeNull()
    const held = await kysely
      .selectFrom('webhookDelivery')
      .select('id')
      .where('endpointId', '=', shop.endpointId)
      .where('state', '=', 'held')
      .execute()
    expect(held).toHaveLength(2)
  })

  test('on what is on already leaves a row of failures as it is', async () => {
    await world.database.db.kysely
      .updateTable('endpointHealth')
      .set({ failuresInRow: 7, failingSince: world.clock.now() })
      .where('endpointId', '=', shop.endpointId)
      .execute()
    const on = await owner.ask<SwitchedEndpoint>('POST', `${endpoint()}/switch-on`)
    expect(on.body.endpoint.failuresInRow).toBe(7)
    expect(on.body.message.text).toMatch(/Nothing is held/)
  })
})

describe('Deleting an endpoint', () => {
  test('cancels what waits, keeps it in the log, and wipes the secrets', async () => {
    const [pending, held, delivered] = await addDeliveries(['pending', 'held', 'delivered'])
    const { kysely } = world.database.db
    expect((await owner.ask('DELETE', endpoint())).status).toBe(204)
    const rows = await kysely
      .selectFrom('webhookDelivery')
      .select(['id', 'state'])
      .where('endpointId', '=', shop.endpointId)
      .execute()
    expect(Object.fromEntries(rows.map(({ id, state }) => [id, state]))).toEqual({
      [pending!]: 'cancelled',
      [held!]: 'cancelled',
      [delivered!]: 'delivered',
    })
    const log = await owner.ask<DeliveryPage>('GET', `/companies/${shop.companyId}/deliveries`)
    expect(log.body.items.map(({ endpoint: of }) => of)).toEqual(
      rows.map(() => ({ id: shop.endpointId, name: 'Test receiver', isDeleted: true })),
    )
    const secrets = kysely
      .selectFrom('endpointSecret')
      .selectAll()
      .where('endpointId', '=', shop.endpointId)
    expect(await secrets.execute()).toEqual([])
    const kept = await kysely
      .selectFrom('endpoint')
      .select(['name', 'deletedAt', 'isOn'])
      .where('id', '=', shop.endpointId)
      .executeTakeFirstOrThrow()
    expect(kept).toEqual({ name: 'Test receiver', deletedAt: world.clock.now(), isOn: false })
    for (const [method, path] of [
      ['GET', endpoint()],
      ['DELETE', endpoint()],
      ['POST', `${endpoint()}/switch-on`],
      ['POST', `${endpoint()}/secret/rotate`],
    ] as const) {
      expect((await owner.ask(method, path)).status).toBe(404)
    }
    const list = await owner.ask<Page<EndpointView>>('GET', endpoints())
    expect(list.body.items).toEqual([])
  })
})

describe('The health of an endpoint', () => {
  test('is its attempts by the hour, and how much waits', async () => {
    await addDeliveries(['pending', 'held', 'held', 'delivered'])
    const nowMs = world.clock.now().getTime()
    const hourAgo = (hours: number) => new Date(nowMs - (nowMs % HOUR_MS) - hours * HOUR_MS)
    await world.database.db.kysely
      .insertInto('deliveryHour')
      .values(
        [0, 1, 3, 4, 8].map((hours) => ({
          endpointId: shop.endpointId,
          companyId: shop.companyId,
          hour: hourAgo(hours),
          attempts: 3,
          failures: Math.min(hours, 3),
          durationMs: 400,
        })),
      )
      .execute()
    const health = await owner.ask<EndpointHealthView>('GET', `${endpoint()}/health?hours=4`)
    expect(health.body).toEqual({
      now: { attempts: 9, failures: 4 },
      // Of the four hours before these: the eighth is too long ago.
      before: { attempts: 3, failures: 3 },
      oldestPendingAt: world.clock.now().toISOString(),
      sample: expect.objectContaining({ deliveries: 4, isAll: true, attempts: 0, p50Ms: null }),
      failuresInRow: 0,
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      pending: { count: 1, isMore: false },
      held: { count: 2, isMore: false },
      hours: [3, 1, 0].map((hours) => ({
        hour: hourAgo(hours).toISOString(),
        attempts: 3,
        failures: hours,
        averageMs: 133,
      })),
    })
    const refused = await owner.ask(
      'GET',
      `${endpoint()}/health?hours=${HEALTH_GRAPH.hoursMost + 1}`,
    )
    expect(refused.status).toBe(422)
  })

  systemTest('counts what waits no further than 10,000, and says that there is more', async () => {
    const [sample] = await addDeliveries(['held'])
    await world.database.db.pool.query(
      `insert into webhook_delivery
        (id, company_id, endpoint_id, event_id, body_id, api_version, kind, state, created_at)
      select gen_random_uuid(), company_id, endpoint_id, event_id, body_id, api_version, kind,
        state, created_at
      from webhook_delivery, generate_series(1, ${HEALTH_GRAPH.countMost - 1}) where id = $1`,
      [sample],
    )
    const held = async () =>
      (await owner.ask<EndpointHealthView>('GET', `${endpoint()}/health`)).body.held
    expect(await held()).toEqual({ count: HEALTH_GRAPH.countMost, isMore: false })
    await addDeliveries(['held'])
    expect(await held()).toEqual({ count: HEALTH_GRAPH.countMost, isMore: true })
  })
})
