import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import type {
  EndpointHealthView,
  EndpointView,
  SwitchedEndpoint,
} from '../../src/contract/dashboard/endpoint.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HEALTH_GRAPH } from '../../src/core/limits/deliveries.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addDeliveries, deliveriesOf } from '../support/records/deliveries.ts'
import {
  addHours,
  endpointOf,
  putHealth,
  storedSecretsOf,
  switchOff,
} from '../support/records/endpoints.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member

const world = await openWorld()

beforeEach(async () => {
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})

const endpoints = () => `/companies/${shop.companyId}/endpoints`
const endpoint = () => `${endpoints()}/${shop.endpointId}`

const show = async () => (await owner.ask<EndpointView>('GET', endpoint())).body

describe('Switching an endpoint', () => {
  test('off by a member shows that and what to do', async () => {
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
  ])('off by the service for %s is explained in words', async (reason, words) => {
    await switchOff(world, shop, { reason })
    const { off } = await show()
    expect(off).toMatchObject({ reason, message: { text: expect.stringMatching(words) } })
  })

  test('on resets its row of failures, sends nothing and says how many deliveries are held', async () => {
    await owner.ask('POST', `${endpoint()}/switch-off`)
    await addDeliveries(world, shop, ['held', 'held', 'delivered', 'expired'])
    const now = world.clock.now()
    const failing = { failuresInRow: 100, failingSince: now, warnedAt: now, lastFailureAt: now }
    await putHealth(world, shop, failing)
    const on = await owner.ask<SwitchedEndpoint>('POST', `${endpoint()}/switch-on`)
    expect(on.body).toMatchObject({
      held: { count: 2, isMore: false, tried: 0 },
      message: { text: expect.stringContaining('Deliveries on hold: 2.') },
      endpoint: { isOn: true, off: null, failuresInRow: 0, failingSince: null },
    })
    expect(on.body.endpoint.lastFailureAt).toBe(world.clock.now().toISOString())
    expect((await endpointOf(world, shop)).warnedAt).toBeNull()
    expect(await deliveriesOf(world, shop, { state: 'held' })).toHaveLength(2)
  })

  test('on while it is on keeps its row of failures', async () => {
    await putHealth(world, shop, { failuresInRow: 7, failingSince: world.clock.now() })
    const on = await owner.ask<SwitchedEndpoint>('POST', `${endpoint()}/switch-on`)
    expect(on.body.endpoint.failuresInRow).toBe(7)
    expect(on.body.message.text).toMatch(/No deliveries are/)
  })
})

describe('Deleting an endpoint', () => {
  test('cancels waiting deliveries, keeps them in the log, and wipes the secrets', async () => {
    const made = await addDeliveries(world, shop, ['pending', 'held', 'delivered'])
    expect((await owner.ask('DELETE', endpoint())).status).toBe(204)
    const rows = await deliveriesOf(world, shop)
    const states = made.map((id) => rows.find((row) => row.id === id)!.state)
    expect(states).toEqual(['cancelled', 'cancelled', 'delivered'])
    const log = await owner.ask<DeliveryPage>('GET', `/companies/${shop.companyId}/deliveries`)
    expect(log.body.items.map(({ endpoint: of }) => of)).toEqual(
      rows.map(() => ({ id: shop.endpointId, name: 'Test receiver', isDeleted: true })),
    )
    expect(await storedSecretsOf(world, shop)).toEqual([])
    expect(await endpointOf(world, shop)).toMatchObject({
      name: 'Test receiver',
      deletedAt: world.clock.now(),
      isOn: false,
    })
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
  test('is its attempts by the hour, and the number of waiting deliveries', async () => {
    await addDeliveries(world, shop, ['pending', 'held', 'held', 'delivered'])
    const nowMs = world.clock.now().getTime()
    const hourAgo = (hours: number) => new Date(nowMs - (nowMs % HOUR_MS) - hours * HOUR_MS)
    await addHours(
      world,
      shop,
      [0, 1, 3, 4, 8].map((hours) => ({
        hour: hourAgo(hours),
        attempts: 3,
        failures: Math.min(hours, 3),
        durationMs: 400,
      })),
    )
    const health = await owner.ask<EndpointHealthView>('GET', `${endpoint()}/health?hours=4`)
    expect(health.body).toEqual({
      now: { attempts: 9, failures: 4 },
      // The four hours before these count here, but not the eighth.
      before: { attempts: 3, failures: 3 },
      oldestPendingAt: world.clock.now().toISOString(),
      sample: expect.objectContaining({ deliveries: 4, isAll: true, attempts: 0, p50Ms: null }),
      failuresInRow: 0,
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      pending: { count: 1, isMore: false },
      held: { count: 2, isMore: false, tried: 0 },
      hours: [3, 1, 0].map((hours) => ({
        hour: hourAgo(hours).toISOString(),
        attempts: 3,
        failures: hours,
        averageMs: 133,
      })),
    })
    const refused = await owner.ask(
      'GET',
      `${endpoint()}/health?hours=${HEALTH_GRAPH.maxHours + 1}`,
    )
    expect(refused.status).toBe(422)
  })

  systemTest('counts waiting deliveries up to 10,000, and says if there are more', async () => {
    const states = Array.from({ length: HEALTH_GRAPH.maxCount }, () => 'held')
    await addDeliveries(world, shop, states)
    const held = async () =>
      (await owner.ask<EndpointHealthView>('GET', `${endpoint()}/health`)).body.held
    expect(await held()).toEqual({ count: HEALTH_GRAPH.maxCount, isMore: false, tried: 0 })
    await addDeliveries(world, shop, ['held'])
    expect(await held()).toEqual({ count: HEALTH_GRAPH.maxCount, isMore: true, tried: 0 })
  })
})
