import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebhookEnvelope, EVENT_DATA } from '../../src/contract/webhook-envelope.ts'
import { transaction } from '../../src/database/transaction.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { claimDeliveries, FIRST_ENDPOINT } from '../../src/deliveries/claim-deliveries.sql.ts'
import { raiseEvent } from '../../src/events/raise-event.ts'
import { settleAttempts } from '../../src/deliveries/settle-attempts.sql.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(() => world.close())

async function raisePing(company: Shop = shop) {
  const { db, ids, clock } = world.service.context
  await transaction(db, (tx) =>
    raiseEvent(
      tx,
      { ids, now: clock.now() },
      {
        type: 'ping',
        company: { id: company.companyId, name: 'Shop' },
        data: { message: 'مرحبا & hello' },
        occurredAt: clock.now(),
      },
    ),
  )
}

const deliveries = (companyId: string) =>
  world.database.db.kysely
    .selectFrom('webhookDelivery')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id')
    .execute()

const attempts = (deliveryId: string) =>
  world.database.db.kysely
    .selectFrom('deliveryAttempt')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .orderBy('number')
    .execute()

describe('Webhook delivery', () => {
  test('each event is posted with its headers, the frozen envelope and a valid signature', async () => {
    await raisePing()
    await world.service.processAll()
    const { headers, body, event } = world.receiver.received.at(-1)!
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'ping',
    })
    const [delivery] = await deliveries(shop.companyId)
    expect(headers['x-service-delivery']).toBe(delivery!.id)
    expect(WebhookEnvelope.parse(event)).toMatchObject({ type: 'ping', apiVersion: '2026-10' })
    expect(EVENT_DATA.ping.parse(event.data)).toEqual({ message: 'مرحبا & hello' })
    expect(body.toString('utf8')).toContain('مرحبا')
    // Stripe's own SDK knows the same scheme: timestamp, dot, raw body.
    const verified: unknown = await Stripe.webhooks.constructEventAsync(
      body,
      headers['x-service-signature']!,
      shop.secret,
      300,
      undefined,
      world.clock.now().getTime(),
    )
    expect(verified).toEqual(event)
  })

  systemTest(
    'non-2XX is retried after 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, 24 h, then dead-lettered',
    async () => {
      const other = await createShop(world, { phoneNumberId: 'retried' })
      world.receiver.answerWith(500)
      await raisePing(other)
      await world.service.processAll()
      for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) {
        const before = world.receiver.received.length
        world.clock.advance(delayMs - 1)
        await world.service.processAll()
        expect(world.receiver.received.length).toBe(before)
        world.clock.advance(1)
        await world.service.processAll()
        expect(world.receiver.received.length).toBe(before + 1)
      }
      world.receiver.answerWith(204)
      const [delivery] = await deliveries(other.companyId)
      expect(delivery).toMatchObject({ state: 'dead_lettered', attempts: 8, dueAt: null })
      const log = await attempts(delivery!.id)
      expect(log.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(log.every((attempt) => attempt.error === 'http_error')).toBe(true)
      const sent = world.receiver.received.filter(
        ({ headers }) => headers['x-service-delivery'] === delivery!.id,
      )
      expect(sent).toHaveLength(8)
      expect(new Set(sent.map(({ body }) => body.toString('hex'))).size).toBe(1)
      // Signed anew at each attempt, or a receiver would find it too old.
      expect(new Set(sent.map(({ headers }) => headers['x-service-signature'])).size).toBe(8)
      const health = await world.database.db.kysely
        .selectFrom('endpointHealth')
        .selectAll()
        .where('companyId', '=', other.companyId)
        .executeTakeFirstOrThrow()
      expect(health.failuresInRow).toBe(8)
    },
  )

  test('an attempt that fails once and then succeeds is delivered, and the failures are forgotten', async () => {
    const other = await createShop(world, { phoneNumberId: 'recovers' })
    world.receiver.answerWith(503)
    await raisePing(other)
    await world.service.processAll()
    world.receiver.answerWith(200)
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    const [delivery] = await deliveries(other.companyId)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, claimId: null })
    const health = await world.database.db.kysely
      .selectFrom('endpointHealth')
      .selectAll()
      .where('companyId', '=', other.companyId)
      .executeTakeFirstOrThrow()
    expect(health).toMatchObject({ failuresInRow: 0, failingSince: null })
  })

  test('events are delivered only to endpoints that subscribe to their type', async () => {
    const other = await createShop(world, {
      phoneNumberId: 'subscribes',
      eventTypes: ['flow.completed'],
    })
    await raisePing(other)
    expect(await deliveries(other.companyId)).toEqual([])
  })

  test('on a plan without webhooks nothing is delivered: it is held', async () => {
    const other = await createShop(world, { phoneNumberId: 'left', plan: 'pro' })
    const before = world.receiver.received.length
    await raisePing(other)
    await world.service.processAll()
    expect(await deliveries(other.companyId)).toMatchObject([{ state: 'held', dueAt: null }])
    expect(world.receiver.received.length).toBe(before)
  })

  test('an address that is not public is refused, and the attempt says so', async () => {
    const other = await createShop(world, { phoneNumberId: 'private' })
    await world.database.db.kysely
      .updateTable('endpoint')
      .set({ url: 'https://192.168.1.1/' })
      .where('companyId', '=', other.companyId)
      .execute()
    await raisePing(other)
    await world.service.processAll()
    const [delivery] = await deliveries(other.companyId)
    expect(await attempts(delivery!.id)).toMatchObject([{ error: 'address_refused' }])
  })

  test('a worker that finishes after its lease has gone changes nothing, and is logged as late', async () => {
    const other = await createShop(world, { phoneNumberId: 'late' })
    const { ids, clock, db } = world.service.context
    await raisePing(other)
    const lanes = [{ lane: 'first' as const, free: 10, after: FIRST_ENDPOINT }]
    const { deliveries: claimed } = await claimDeliveries(db.kysely, {
      claimId: ids.uuid(),
      now: clock.now(),
      lanes,
    })
    const [stale] = claimed
    world.clock.advance(60_000)
    const settled = {
      attemptId: ids.uuid(),
      deliveryId: stale!.id,
      companyId: other.companyId,
      endpointId: stale!.endpointId,
      claimId: stale!.claimId,
      number: 1,
      isTest: false,
      isBodyGone: false,
      url: stale!.url,
      startedAt: clock.now(),
      endedAt: clock.now(),
      durationMs: 5,
      dnsMs: null,
      connectMs: null,
      answerMs: 5,
      httpStatus: 500,
      error: 'http_error' as const,
      errorDetail: null,
      remoteAddress: null,
      answerHeaders: null,
      answerHead: Buffer.from('\u0000 not text \xff', 'latin1'),
      answerIsCut: false,
      headersAreCut: false,
      signedWith: ['abcd', 'efgh'],
    }
    // The lease has ended: the service takes the delivery again and delivers it.
    await world.service.processAll()
    await settleAttempts({ db, ids }, [settled])
    const [delivery] = await deliveries(other.companyId)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 })
    const log = await attempts(delivery!.id)
    expect(log.map(({ isLate }) => isLate).toSorted()).toEqual([false, true])
    expect(log.find(({ isLate }) => isLate)!.signedWith).toEqual(['abcd', 'efgh'])
    expect(log.find(({ isLate }) => isLate)!.answerHead).toEqual(settled.answerHead)
  })
})
