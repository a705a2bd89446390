/** Posts to an endpoint, what follows them, and the version in which each endpoint gets an event. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import {
  EVENT_VERSIONS,
  versionSent,
  type EventVersion,
} from '../../src/contract/event-versions.ts'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { recordAttempts } from '../../src/modules/deliveries/record-attempts.sql.ts'
import { raiseEvent } from '../../src/modules/events/raise-event.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { addEndpoint, attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { attemptsOf, deliveriesOf, deliveryStatesOf } from '../support/records/deliveries.ts'
import { putEndpoint, putHealth } from '../support/records/endpoints.ts'
import { envelopesOf } from '../support/records/events.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { verifyDeliveries } from '../support/verify-deliveries.ts'

vi.setConfig({ testTimeout: 90_000 })

const world = await openWorld()

/** A shop whose endpoint answered an event with this status. */
async function shopThatAnswered(status: number): Promise<Shop> {
  const shop = await createOwnShop(world)
  world.receiver.answerWith(status)
  await raisePings(world, shop)
  await world.service.processAll()
  return shop
}

/** Lets a minute pass, so that the retry of a first attempt is due, and the receiver accepts everything. */
async function retry() {
  world.receiver.answerWith(204)
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
}

describe('Webhook delivery', () => {
  test('each event is posted with its headers, the frozen envelope and a valid signature', async () => {
    const shop = await createOwnShop(world)
    await raisePings(world, shop, 1, { message: 'مرحبا & hello' })
    await world.service.processAll()
    const sent = world.receiver.received.at(-1)!
    expect(sent.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'ping',
    })
    const [delivery] = await deliveriesOf(world, shop)
    expect(sent.headers['x-service-delivery']).toBe(delivery!.id)
    expect(WebhookEnvelope.parse(sent.event)).toMatchObject({ type: 'ping', apiVersion: '2026-10' })
    expect(EVENT_DATA.ping.parse(sent.event.data)).toEqual({ message: 'مرحبا & hello' })
    expect(sent.body.toString('utf8')).toContain('مرحبا')
    await verifyDeliveries([sent], shop.secret, world.clock.now())
  })

  test('events are delivered only to endpoints that subscribe to their type', async () => {
    const shop = await createOwnShop(world, { eventTypes: ['flow.completed'] })
    await raisePings(world, shop)
    expect(await deliveriesOf(world, shop)).toEqual([])
  })

  test('a worker that finishes after its lease expired changes nothing, and is logged as late', async () => {
    const shop = await createOwnShop(world)
    await raisePings(world, shop)
    const [stale] = await claim(world, { first: 10 })
    world.clock.advance(MINUTE_MS)
    const late = {
      ...attemptOf(world, stale!, 'http_error'),
      answerHead: Buffer.from('\u0000 not text \xff', 'latin1'),
      signedWith: ['abcd', 'efgh'],
    }
    // The lease has expired: the service claims the delivery again and delivers it.
    await world.service.processAll()
    await recordAttempts(world.service.context, [late])
    const [delivery] = await deliveriesOf(world, shop)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 })
    const log = await attemptsOf(world, delivery!.id)
    expect(log.map(({ isLate }) => isLate).toSorted()).toEqual([false, true])
    const { answerHead } = late
    const logged = { signedWith: 'abcd,efgh', answerHead }
    expect(log.find(({ isLate }) => isLate)).toMatchObject(logged)
  })
})

describe('A backlog of an endpoint', () => {
  systemTest('is sent gradually after an outage, and delays no other endpoint', async () => {
    const waiting = 400
    let underWay = 0
    const order: string[] = []
    const atOnce: number[] = []
    // The slow endpoint answers only after the other one got its delivery.
    const { promise: otherCame, resolve: tellOther } = Promise.withResolvers<void>()
    const slow = createServer(world.receiver.authority, (request, response) => {
      underWay += 1
      atOnce.push(underWay)
      order.push('slow')
      request.resume()
      void otherCame.then(() =>
        setImmediate(() => {
          underWay -= 1
          response.writeHead(200).end()
        }),
      )
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    const shop = await createOwnShop({ ...world, receiver: { ...world.receiver, url } })
    const other = await createOwnShop(world)
    await raisePings(world, shop)
    const [delivery] = await deliveriesOf(world, shop)
    await copyDelivery(world, delivery!.id, 'event', waiting - 1)
    const failingSince = world.clock.now()
    await putHealth(world, shop, { failuresInRow: 40, failingSince, slots: 1 })
    world.clock.advance(6 * HOUR_MS)
    await raisePings(world, other)
    world.receiver.answerWith(() => {
      order.push('other')
      tellOther()
      return 204
    })
    await world.service.processAll()
    slow.closeAllConnections()
    await new Promise<void>((resolve) => slow.close(() => resolve()))

    expect(await deliveryStatesOf(world, shop)).toEqual(
      Array.from({ length: waiting }, () => 'delivered'),
    )
    // The endpoint gets one delivery at a time at first, more as it succeeds, and never more than eight.
    expect(atOnce[1]).toBe(1)
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(8)
    // The other delivery is sent with the first of the four hundred.
    expect(order.indexOf('other')).toBeLessThan(10)
  })

  test('is sent to the new URL if that is edited between two attempts', async () => {
    const shop = await shopThatAnswered(500)
    await putEndpoint(world, shop, { url: new URL('/moved', world.receiver.url).href })
    await retry()
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    expect(world.receiver.received.at(-1)!.path).toBe('/moved')
  })

  test('is still sent when its type is no longer subscribed to', async () => {
    const shop = await shopThatAnswered(500)
    await putEndpoint(world, shop, { eventTypes: ['contact.created'] })
    await raisePings(world, shop)
    await retry()
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })
})

describe('The version in which an endpoint gets an event', () => {
  /** Versions a release later: the newest form calls the text `message`, the one before it still `text`. */
  const TWO: readonly EventVersion[] = [
    { version: '2026-10', shape: (_type, { message, ...data }) => ({ ...data, text: message }) },
    { version: '2027-03', shape: (_type, data) => data },
  ]
  const OLD_FORM = { apiVersion: '2026-10', data: { text: 'hello' } }
  const NEW_FORM = { apiVersion: '2027-03', data: { message: 'hello' } }

  /** Raises one event in the newest form and sends it. Returns what arrived. */
  async function sent(shop: Shop, versions: readonly EventVersion[]) {
    const { db, ids, clock } = world.service.context
    world.receiver.answerWith(204)
    const before = world.receiver.received.length
    const event = {
      type: 'ping' as const,
      company: { id: shop.companyId, name: 'Shop' },
      data: { message: 'hello' },
      occurredAt: clock.now(),
    }
    await transaction(db, (tx) => raiseEvent(tx, { ids, now: clock.now(), versions }, event))
    await world.service.processAll()
    return world.receiver.received
      .slice(before)
      .map(({ event: { apiVersion, data } }) => ({ apiVersion, data }))
      .toSorted((a, b) => a.apiVersion.localeCompare(b.apiVersion))
  }

  test('is its own, and a body is stored only in versions that a subscribed endpoint has', async () => {
    const shop = await createOwnShop(world)
    expect(await sent(shop, TWO)).toEqual([OLD_FORM])
    expect(await envelopesOf(world, shop)).toMatchObject([{ apiVersion: '2026-10' }])
    const endpointId = await addEndpoint(world, shop)
    await putEndpoint(world, { endpointId }, { apiVersion: '2027-03' })
    expect(await sent(shop, TWO)).toEqual([OLD_FORM, NEW_FORM])
  })

  test('is the oldest remaining one if its own was retired, and nothing is lost', async () => {
    const shop = await createOwnShop(world)
    expect(await sent(shop, TWO.slice(1))).toEqual([NEW_FORM])
    expect(await deliveriesOf(world, shop)).toMatchObject([
      { state: 'delivered', apiVersion: '2027-03' },
    ])
  })

  test('is the newest of this release if its own is newer', async () => {
    const shop = await createOwnShop(world)
    await putEndpoint(world, shop, { apiVersion: '2028-01' })
    expect(await sent(shop, TWO)).toEqual([NEW_FORM])
  })

  test('is a date, and an unknown one is replaced by the next known one', () => {
    const inPlaceOf = (asked: string) => versionSent(asked, TWO).version
    expect(['2025-01', '2026-10'].map(inPlaceOf)).toEqual(['2026-10', '2026-10'])
    expect(['2026-11', '2027-03', '2030-01'].map(inPlaceOf)).toEqual(Array(3).fill('2027-03'))
    expect(EVENT_VERSIONS.map(({ version }) => version)).toEqual(
      EVENT_VERSIONS.map(({ version }) => version).toSorted(),
    )
  })
})
