/** Badges and counts of deliveries and endpoints, with rows of every kind: events, resends and tests. */
import { describe, expect, test } from 'vitest'
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryView,
  DeliveryViewCounts,
} from '../../src/contract/dashboard/delivery.ts'
import type {
  EndpointHealthView,
  EndpointView,
  SwitchedEndpoint,
} from '../../src/contract/dashboard/endpoint.ts'
import { isInView } from '../../src/rules/deliveries/delivery-badge.ts'
import {
  DELIVERY_KINDS,
  DELIVERY_STATES,
  DELIVERY_VIEWS,
} from '../../src/core/vocabulary/deliveries.ts'
import { raisePings } from '../support/deliveries.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { addDeliveries } from '../support/records/deliveries.ts'
import { putHealth, switchOff } from '../support/records/endpoints.ts'

const { world } = await openOwnedShop()
type Owned = Awaited<ReturnType<typeof ownedShop>>

const at = ({ shop }: Owned) => `/companies/${shop.companyId}`
const list = async (of: Owned, query = '') =>
  (await of.owner.ask<DeliveryPage>('GET', `${at(of)}/deliveries?limit=100${query}`)).body.items
const endpointPath = (of: Owned) => `${at(of)}/endpoints/${of.shop.endpointId}`
const endpointOf = async (of: Owned) =>
  (await of.owner.ask<EndpointView>('GET', endpointPath(of))).body
const healthOf = async (of: Owned) =>
  (await of.owner.ask<EndpointHealthView>('GET', `${endpointPath(of)}/health`)).body

/** Adds deliveries of every kind, untried and tried, in every state. */
async function addEveryKind(of: Owned): Promise<void> {
  for (const kind of DELIVERY_KINDS) {
    await addDeliveries(world, of.shop, DELIVERY_STATES, { kind })
    const tried = { attempts: 2, lastError: 'timeout', lastMs: 9_000 }
    await addDeliveries(world, of.shop, DELIVERY_STATES, { kind, ...tried })
  }
}

describe('The badge of a delivery', () => {
  test.each([
    ['pending', 0, 'waiting'],
    ['pending', 1, 'retrying'],
    ['delivered', 1, 'delivered'],
    ['dead_lettered', 8, 'failed'],
    ['held', 0, 'held'],
    ['held', 3, 'held'],
    ['superseded', 1, 'superseded'],
    ['cancelled', 0, 'cancelled'],
    ['expired', 0, 'expired'],
  ])('%s after %i attempts says %s', async (state, attempts, badge) => {
    const of = await ownedShop(world)
    await addDeliveries(world, of.shop, [state], { attempts })
    expect(await list(of)).toMatchObject([{ badge, attempts, lastResend: null }])
  })

  test.each([
    ['pending', /isn’t delivered yet\.$/],
    ['delivered', /the resend was delivered\.$/],
    ['dead_lettered', /then resend it\.$/],
  ])('stays after a failure, and says that its newest resend is %s', async (state, sentence) => {
    const of = await ownedShop(world)
    const [failed] = await addDeliveries(world, of.shop, ['dead_lettered'], { attempts: 8 })
    const resent = { kind: 'resend', resendOf: failed! }
    await addDeliveries(world, of.shop, ['dead_lettered'], { ...resent, attempts: 8 })
    const [newest] = await addDeliveries(world, of.shop, [state], resent)
    const found = (await list(of)).find(({ id }) => id === failed)
    expect(found).toMatchObject({ badge: 'failed', lastResend: { id: newest, state } })
    const path = `${at(of)}/deliveries/${failed}`
    const { body } = await of.owner.ask<DeliveryDetail>('GET', path)
    expect(body.stateMessage.text).toMatch(sentence)
  })
})

describe('Each view of the log', () => {
  test('has events and resends by its rule, and no tests, as its count says', async () => {
    const of = await ownedShop(world)
    await addEveryKind(of)
    const all: DeliveryView[] = await list(of)
    const { body: counts } = await of.owner.ask<DeliveryViewCounts>(
      'GET',
      `${at(of)}/deliveries/views`,
    )
    for (const view of DELIVERY_VIEWS) {
      const wanted = all.filter((delivery) => isInView(delivery, view)).map(({ id }) => id)
      const found = await list(of, `&view=${view}`)
      expect([view, found.map(({ id }) => id)]).toEqual([view, wanted])
      expect([view, counts[view]]).toEqual([view, { count: wanted.length, isMore: false }])
    }
    const sizes = DELIVERY_VIEWS.map((view) => counts[view].count)
    // The rows are of two kinds: all tried ones except the delivered; one; untried and tried; all tried ones.
    expect(sizes).toEqual([2 * 6, 2 * 1, 2 * 2, 2 * 7])
  })
})

describe('Figures of an endpoint', () => {
  test('count events and resends that wait or are held, tried ones among the held, but no tests', async () => {
    const of = await ownedShop(world)
    await addEveryKind(of)
    expect(await healthOf(of)).toMatchObject({
      pending: { count: 4, isMore: false },
      held: { count: 4, isMore: false, tried: 2 },
      sample: { deliveries: 4 * DELIVERY_STATES.length },
    })
    await switchOff(world, of.shop)
    const path = `${endpointPath(of)}/switch-on`
    const { body } = await of.owner.ask<SwitchedEndpoint>('POST', path)
    expect(body.held).toEqual({ count: 4, isMore: false, tried: 2 })
    expect(body.message.text).toContain('of which 2 were tried before')
  })

  test('do not count a test as the longest waiting delivery', async () => {
    const of = await ownedShop(world)
    await addDeliveries(world, of.shop, ['pending'], { kind: 'test' })
    expect(await healthOf(of)).toMatchObject({ pending: { count: 0 }, oldestPendingAt: null })
  })

  test('say that a held delivery which was tried may have arrived', async () => {
    const of = await ownedShop(world)
    await addDeliveries(world, of.shop, ['held'], { attempts: 0 })
    await addDeliveries(world, of.shop, ['held'], { attempts: 3 })
    const texts = (await list(of)).map(async ({ id }) => {
      const { body } = await of.owner.ask<DeliveryDetail>('GET', `${at(of)}/deliveries/${id}`)
      return body.stateMessage.text.includes('It was tried 3 times before')
    })
    expect(await Promise.all(texts)).toEqual([true, false])
  })
})

describe('The badge of an endpoint', () => {
  test('says that nothing was sent until an event is, whatever tests resulted in', async () => {
    const of = await ownedShop(world)
    const state = async () => (await endpointOf(of)).state
    expect(await state()).toBe('untried')
    world.receiver.answerWith(204)
    await of.owner.ask('POST', `${endpointPath(of)}/tests`, { type: 'ping' })
    expect(await state()).toBe('untried')
    await raisePings(world, of.shop)
    await world.service.processAll()
    expect(await state()).toBe('healthy')
    world.receiver.answerWith(500)
    await of.owner.ask('POST', `${endpointPath(of)}/tests`, { type: 'ping' })
    expect(await state()).toBe('healthy')
    await raisePings(world, of.shop)
    await world.service.processAll()
    expect(await state()).toBe('failing')
    world.receiver.answerWith(204)
  })

  const REASONS = ['failures_in_row', 'failing_for_days', 'gone', 'by_member']
  test.each(REASONS)('says what switched it off (%s), untried once on again', async (reason) => {
    const of = await ownedShop(world)
    const failed = { failuresInRow: 9, lastFailureAt: world.clock.now() }
    await putHealth(world, of.shop, failed)
    await switchOff(world, of.shop, { reason })
    const expected = { gone: 'off_gone', by_member: 'off_by_member' }[reason] ?? 'off_failures'
    expect((await endpointOf(of)).state).toBe(expected)
    await of.owner.ask('POST', `${endpointPath(of)}/switch-on`)
    expect((await endpointOf(of)).state).toBe('untried_since_on')
  })

  test('says that the plan has no webhooks, unless it is off', async () => {
    const of = await ownedShop(world)
    await setPlan(world, of.shop, 'pro')
    expect((await endpointOf(of)).state).toBe('not_in_plan')
    await switchOff(world, of.shop)
    expect((await endpointOf(of)).state).toBe('off_by_member')
  })
})

test("Another company's deliveries are not counted", async () => {
  const [of, other] = [await ownedShop(world), await ownedShop(world)]
  await addEveryKind(other)
  const { body } = await of.owner.ask<DeliveryViewCounts>('GET', `${at(of)}/deliveries/views`)
  for (const view of DELIVERY_VIEWS) expect(body[view]).toEqual({ count: 0, isMore: false })
})
