import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryDetail, DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import type { NewEndpoint } from '../../src/contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS, LOG_LIMITS } from '../../src/core/limits/deliveries.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { ROLES } from '../../src/core/vocabulary/accounts.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { raisePings, sentAs } from '../support/deliveries.ts'
import { faultsOfBody } from '../support/exact-event.ts'
import { openWorld } from '../support/open-world.ts'
import { setPlan } from '../support/records/accounts.ts'
import { auditLog } from '../support/records/audit.ts'
import { addDeliveries, deliveriesOf, repeatAttempts } from '../support/records/deliveries.ts'
import { endpointOf, markDeleted, putEndpoint, switchOff } from '../support/records/endpoints.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let shop: Shop
let owner: Member
const world = await openWorld()

// Each test has a separate shop, and so a separate limit of ten tests and resends.
beforeEach(async () => {
  world.receiver.answerWith(204)
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})

const company = () => `/companies/${shop.companyId}`
const endpointPath = () => `${company()}/endpoints/${shop.endpointId}`
const sendTest = (json: object = {}) =>
  owner.ask<DeliveryDetail>('POST', `${endpointPath()}/tests`, json)
const resend = (id: string) =>
  owner.ask<DeliveryView>('POST', `${company()}/deliveries/${id}/resend`)
const show = async (id: string) =>
  (await owner.ask<DeliveryDetail>('GET', `${company()}/deliveries/${id}`)).body

/** Raises an event. Returns its one delivery. */
async function raise(): Promise<string> {
  // Ids of one millisecond have no order: the new one is the one that was not there before.
  const before = new Set((await deliveriesOf(world, shop)).map(({ id }) => id))
  await raisePings(world, shop, 1, { message: 'مرحبا' })
  return (await deliveriesOf(world, shop)).find(({ id }) => !before.has(id))!.id
}

/** Raises an event and lets its first attempt be answered with this status. */
async function attempted(status = 204): Promise<string> {
  world.receiver.answerWith(status)
  const id = await raise()
  await world.service.processAll()
  return id
}

async function processFor(ms: number) {
  world.clock.advance(ms)
  await world.service.processAll()
}

describe('Send test', () => {
  test('posts a sample of any event type or a ping, `test` true, valid by its schema', async () => {
    for (const type of EVENT_TYPES) {
      // Ten a minute are allowed.
      world.clock.advance(MINUTE_MS)
      const { status, body } = await sendTest({ type })
      expect(status).toBe(201)
      expect(body).toMatchObject({ kind: 'test', type, state: 'delivered', attempts: 1 })
      expect(body.log).toMatchObject([{ number: 1, httpStatus: 204, error: null }])
      const [sent] = sentAs(world, body.id)
      expect([sent!.event.type, ...faultsOfBody(sent!.event)]).toEqual([type])
      expect(sent!.event).toMatchObject({ id: body.eventId, test: true })
      expect(sent!.headers['x-service-event']).toBe(type)
    }
    expect((await sendTest()).body.type).toBe('ping')
  })

  test('has the oldest remaining version for an endpoint whose version was retired', async () => {
    await putEndpoint(world, shop, { apiVersion: '2025-01' })
    const { body } = await sendTest()
    expect(body).toMatchObject({ state: 'delivered' })
    expect(sentAs(world, body.id)[0]!.event).toMatchObject({ apiVersion: '2026-10', test: true })
  })

  test('is also allowed on an unsubscribed and on a switched-off endpoint', async () => {
    await putEndpoint(world, shop, { eventTypes: ['flow.failed'] })
    expect((await sendTest({ type: 'lead.qualified' })).body.state).toBe('delivered')
    await switchOff(world, shop)
    expect((await sendTest({ type: 'lead.qualified' })).body.state).toBe('delivered')
    expect((await endpointOf(world, shop)).isOn).toBe(false)
  })

  test('is signed with the current secret only', async () => {
    const rotated = await owner.ask<NewEndpoint>('POST', `${endpointPath()}/secret/rotate`)
    const { secret } = rotated.body
    const { body } = await sendTest()
    expect(body.log[0]!.signedWith).toEqual([secret.slice(-4)])
    const [sent] = sentAs(world, body.id)
    const [t, v1, ...more] = sent!.headers['x-service-signature']!.split(',')
    expect(more).toEqual([])
    const signed = createHmac('sha256', secret)
      .update(`${t!.slice(2)}.`)
      .update(sent!.body)
    expect(v1).toBe(`v1=${signed.digest('hex')}`)
  })

  systemTest('is never retried', async () => {
    world.receiver.answerWith(500)
    const { body } = await sendTest()
    expect(body).toMatchObject({ state: 'dead_lettered', lastStatus: 500, dueAt: null })
    expect(body.stateMessage.text).toContain('Tests aren’t retried')
    for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) await processFor(delayMs)
    expect(sentAs(world, body.id)).toHaveLength(1)
  })

  systemTest('has no effect: a hundred failures and a 410 leave the endpoint on', async () => {
    world.receiver.answerWith(500)
    for (let sent = 0; sent < DELIVERY_LIMITS.switchOffAfterFailuresInRow; sent += 1) {
      if (sent % DELIVERY_LIMITS.testsAndResendsPerMinute === 0) world.clock.advance(MINUTE_MS)
      expect((await sendTest()).body.state).toBe('dead_lettered')
    }
    world.clock.advance(MINUTE_MS)
    world.receiver.answerWith(410)
    expect((await sendTest()).body.log[0]!.error!.code).toBe('gone')
    expect(await endpointOf(world, shop)).toMatchObject({
      isOn: true,
      offReason: null,
      failuresInRow: 0,
      failingSince: null,
    })
  })

  test('does not end a row of failures when it succeeds', async () => {
    await attempted(500)
    world.receiver.answerWith(204)
    await sendTest()
    expect((await endpointOf(world, shop)).failuresInRow).toBe(1)
  })

  test('is refused on a plan without webhooks, and for a deleted endpoint', async () => {
    await setPlan(world, shop, 'pro')
    expect(await sendTest()).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
    await setPlan(world, shop, 'business')
    await markDeleted(world, shop)
    expect((await sendTest()).status).toBe(404)
  })
})

describe('Tests and resends', () => {
  test('are at most 10 a minute per account together; the answer says when the next is allowed', async () => {
    const id = await attempted()
    for (let sent = 0; sent < 6; sent += 1) expect((await sendTest()).status).toBe(201)
    for (let sent = 0; sent < 4; sent += 1) expect((await resend(id)).status).toBe(201)
    const refused = await resend(id)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const waitS = Number(refused.headers.get('retry-after'))
    expect(waitS).toBeGreaterThanOrEqual(1)
    expect(waitS).toBeLessThanOrEqual(60)
    expect((await sendTest()).status).toBe(429)
    // Another account has a separate limit of ten.
    const stranger = await createOwnShop(world)
    const member = await signedIn(world, { accountId: stranger.accountId })
    const path = `/companies/${stranger.companyId}/endpoints/${stranger.endpointId}/tests`
    expect((await member.ask('POST', path, {})).status).toBe(201)
    world.clock.advance(waitS * 1_000)
    expect((await sendTest()).status).toBe(201)
  })

  test('do not count when they are refused', async () => {
    const id = await raise()
    await switchOff(world, shop)
    for (let asked = 0; asked < 11; asked += 1) expect((await resend(id)).status).toBe(409)
    expect((await sendTest()).status).toBe(201)
  })

  test('are for Owner and Admin', async () => {
    const id = await raise()
    for (const role of ROLES) {
      const member = await signedIn(world, { accountId: shop.accountId, role })
      const expected = role === 'agent' ? 403 : 201
      for (const path of [`${endpointPath()}/tests`, `${company()}/deliveries/${id}/resend`]) {
        expect((await member.ask('POST', path, {})).status).toBe(expected)
      }
    }
  })

  test('are in the audit log', async () => {
    await resend(await raise())
    await sendTest()
    const actions = (await auditLog(world, shop)).map(({ action }) => action)
    expect(actions).toEqual(['delivery.resent', 'endpoint.tested'])
  })
})

test('A delivery shows its latest attempts, oldest first, and counts those before them', async () => {
  const id = await attempted()
  const { log: first } = await show(id)
  const repeat = async (times: number) => {
    world.clock.advance(1)
    await repeatAttempts(world, id, times)
    return await show(id)
  }
  const all = await repeat(LOG_LIMITS.attemptsShown - 1)
  expect(all).toMatchObject({ log: { length: 50 }, earlierAttempts: 0 })
  expect(all.log[0]).toEqual(first[0])
  const latest = await repeat(2)
  expect(latest).toMatchObject({ log: { length: 50 }, earlierAttempts: 2 })
  expect(latest.log.slice(0, -2)).toEqual(all.log.slice(2))
})

describe('A resend', () => {
  test('keeps the event id and the body bytes, and has a new delivery id and signature', async () => {
    const id = await attempted()
    world.clock.advance(HOUR_MS)
    const { status, body } = await resend(id)
    expect(status).toBe(201)
    expect(body).toMatchObject({ kind: 'resend', resendOf: id, state: 'pending', attempts: 0 })
    await world.service.processAll()
    const [first, again] = [sentAs(world, id)[0]!, sentAs(world, body.id)[0]!]
    expect(again.body).toEqual(first.body)
    expect(again.event.id).toBe(first.event.id)
    const t = Math.floor(world.clock.now().getTime() / 1_000)
    expect(again.headers['x-service-signature']).toMatch(new RegExp(`^t=${t},`))
    expect(await show(body.id)).toMatchObject({ state: 'delivered', eventId: body.eventId })
    expect((await show(id)).resends).toMatchObject([{ id: body.id, state: 'delivered' }])
  })

  test('is one of those that its original shows, which says whether there are more', async () => {
    const id = await attempted()
    const resends = { kind: 'resend', resendOf: id }
    const some = Array.from({ length: LOG_LIMITS.resendsShown }, () => 'delivered')
    await addDeliveries(world, shop, some, resends)
    expect(await show(id)).toMatchObject({ resends: { length: 50 }, hasMoreResends: false })
    const [newest] = await addDeliveries(world, shop, ['cancelled'], resends)
    const { resends: shown, hasMoreResends } = await show(id)
    expect([shown.length, shown[0]!.id, hasMoreResends]).toEqual([50, newest, true])
  })

  test('requested twice makes two deliveries', async () => {
    const id = await attempted()
    const [one, two] = await Promise.all([resend(id), resend(id)])
    await world.service.processAll()
    expect(one.body.id).not.toBe(two.body.id)
    for (const { body } of [one, two]) expect((await show(body.id)).state).toBe('delivered')
  })

  test('has the full schedule of retries when it fails, and counts toward switch-off', async () => {
    const id = await attempted()
    world.receiver.answerWith(500)
    const { body } = await resend(id)
    await world.service.processAll()
    expect((await endpointOf(world, shop)).failuresInRow).toBe(1)
    world.receiver.answerWith(204)
    await processFor(DELIVERY_LIMITS.retryDelaysMs[0] - 1)
    expect(sentAs(world, body.id)).toHaveLength(1)
    await processFor(1)
    expect(await show(body.id)).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  test('supersedes the waiting retries of that event to that endpoint when it succeeds', async () => {
    world.receiver.answerWith(500)
    const [id, untouched] = [await raise(), await raise()]
    await world.service.processAll()
    world.receiver.answerWith(204)
    const { body } = await resend(id)
    await world.service.processAll()
    expect((await show(body.id)).state).toBe('delivered')
    expect((await show(id)).state).toBe('superseded')
    expect((await show(untouched)).state).toBe('pending')
    await processFor(MINUTE_MS)
    expect(sentAs(world, id)).toHaveLength(1)
    expect((await show(untouched)).state).toBe('delivered')
  })

  test('leaves the waiting retries unchanged when it fails, and has its own', async () => {
    const id = await attempted(500)
    const before = await show(id)
    const { body } = await resend(id)
    await world.service.processAll()
    expect(await show(id)).toMatchObject({ state: 'pending', dueAt: before.dueAt, attempts: 1 })
    expect(await show(body.id)).toMatchObject({ state: 'pending', attempts: 1 })
  })

  test('is refused on a switched-off endpoint, on a deleted one and after leaving the plan', async () => {
    const id = await attempted()
    await setPlan(world, shop, 'pro')
    expect(await resend(id)).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
    await setPlan(world, shop, 'business')
    await switchOff(world, shop)
    expect(await resend(id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('Switch it on') },
    })
    await markDeleted(world, shop)
    expect((await resend(id)).body).toMatchObject({ detail: expect.stringContaining('deleted') })
  })

  test('is refused for a test, for a delivery older than 30 days and for a missing one', async () => {
    const sent = await sendTest()
    expect((await resend(sent.body.id)).status).toBe(409)
    const id = await attempted()
    world.clock.advance(30 * DAY_MS - MINUTE_MS)
    owner = await signedIn(world, { accountId: shop.accountId })
    expect((await resend(id)).body).toMatchObject({ resendOf: id })
    world.clock.advance(2 * MINUTE_MS)
    expect((await resend(id)).body).toMatchObject({ detail: expect.stringContaining('30 days') })
    expect((await resend('01890000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  test('finds no delivery of another company', async () => {
    const id = await raise()
    const stranger = await createOwnShop(world)
    const member = await signedIn(world, { accountId: stranger.accountId })
    const path = `/companies/${stranger.companyId}/deliveries/${id}/resend`
    expect((await member.ask('POST', path)).status).toBe(404)
  })
})
