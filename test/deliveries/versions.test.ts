/** The shape versions of events: each endpoint keeps its own, whatever the newest one is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  EVENT_VERSIONS,
  versionSent,
  type EventVersion,
} from '../../src/contract/event-versions.ts'
import { transaction } from '../../src/database/transaction.ts'
import { raiseEvent } from '../../src/events/raise-event.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { addEndpoint } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

/** A release later: the newest form calls the message `text`, the one before it still `message`. */
const TWO: readonly EventVersion[] = [
  { version: '2026-10', shape: (_type, { text, ...data }) => ({ ...data, message: text }) },
  { version: '2027-03', shape: (_type, data) => data },
]
/** And one more: the first has been retired. */
const LATER = TWO.slice(1)

let world: World
let shops = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const openShop = () => createShop(world, { phoneNumberId: `${(shops += 1)}` })

const setVersion = (shop: Shop, apiVersion: string, endpointId = shop.endpointId) =>
  world.database.db.kysely
    .updateTable('endpoint')
    .set({ apiVersion })
    .where('id', '=', endpointId)
    .execute()

/** Raises one event in the newest form and sends it; what arrived. */
async function sent(shop: Shop, versions: readonly EventVersion[]) {
  const { db, ids, clock } = world.service.context
  const before = world.receiver.received.length
  const event = {
    type: 'ping' as const,
    company: { id: shop.companyId, name: 'Shop' },
    data: { text: 'hello' } as unknown as { message: string },
    occurredAt: clock.now(),
  }
  await transaction(db, (tx) => raiseEvent(tx, { ids, now: clock.now(), versions }, event))
  await world.service.processAll()
  return world.receiver.received
    .slice(before)
    .map(({ event: { apiVersion, data } }) => ({ apiVersion, data }))
    .toSorted((a, b) => a.apiVersion.localeCompare(b.apiVersion))
}

describe('an endpoint', () => {
  test('keeps the version it has: the same event is told to each in its own', async () => {
    const shop = await openShop()
    const moved = await addEndpoint(world, shop)
    await setVersion(shop, '2027-03', moved)
    expect(await sent(shop, TWO)).toEqual([
      { apiVersion: '2026-10', data: { message: 'hello' } },
      { apiVersion: '2027-03', data: { text: 'hello' } },
    ])
  })

  test('a body is frozen only in versions that a subscribed endpoint has', async () => {
    const shop = await openShop()
    await sent(shop, TWO)
    const [delivery] = await deliveriesOf(world, shop)
    const bodies = await world.database.db.kysely
      .selectFrom('eventBody')
      .select('apiVersion')
      .where('id', '=', delivery!.bodyId)
      .execute()
    expect(bodies).toEqual([{ apiVersion: '2026-10' }])
  })

  test('of a version that was retired is sent the oldest that is left, and nothing is lost', async () => {
    const shop = await openShop()
    expect(await sent(shop, LATER)).toEqual([{ apiVersion: '2027-03', data: { text: 'hello' } }])
    expect(await deliveriesOf(world, shop)).toMatchObject([
      { state: 'delivered', apiVersion: '2027-03' },
    ])
  })

  test('of a version that this release does not know yet is sent the newest that it knows', async () => {
    const shop = await openShop()
    await setVersion(shop, '2028-01')
    expect(await sent(shop, TWO)).toEqual([{ apiVersion: '2027-03', data: { text: 'hello' } }])
  })
})

test('a version is a date; one stands in for another by its place', () => {
  const inPlaceOf = (asked: string) => versionSent(asked, TWO).version
  expect(['2025-01', '2026-10', '2026-11', '2027-03', '2030-01'].map(inPlaceOf)).toEqual([
    '2026-10',
    '2026-10',
    '2027-03',
    '2027-03',
    '2027-03',
  ])
  expect(EVENT_VERSIONS.map(({ version }) => version)).toEqual(
    EVENT_VERSIONS.map(({ version }) => version).toSorted(),
  )
})
