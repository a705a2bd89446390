/** The life of deliveries and endpoints as the specification tells it, over simulated days. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/limits/units.ts'
import { noticesOf } from '../support/records/notices.ts'
import { endpointOf, switchOff, switchOn } from '../support/records/endpoints.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { setPlan } from '../support/records/accounts.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

/** Seconds after the event at which the eight attempts start. */
const SCHEDULE = [0, 60, 360, 2_160, 9_360, 30_960, 74_160, 160_560]

// A hundred attempts and simulated days take their time where the machine is shared.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let world: World
/** What each row of a test answers, given the number of the request (from 1). */
const answers = new Map<string, (number: number) => number>()
/** When each row was asked, in milliseconds of the simulated time. */
const asked = new Map<string, number[]>()

beforeAll(async () => {
  world = await createWorld()
  world.receiver.answerWith(({ path }) => {
    const times = asked.get(path) ?? []
    asked.set(path, [...times, world.clock.now().getTime()])
    return answers.get(path)?.(times.length + 1) ?? 200
  })
})
afterAll(() => world.close())

/** A shop whose endpoint answers so; the last of a list answers everything after it. */
async function shopThat(
  row: string,
  answer: number[] | ((number: number) => number),
): Promise<Shop> {
  const path = `/${row}`
  answers.set(
    path,
    typeof answer === 'function' ? answer : (number) => answer[number - 1] ?? answer.at(-1)!,
  )
  return createShop(at(row), { phoneNumberId: row })
}

/** The world with its receiver at the row's path. */
const at = (row: string): World => ({
  ...world,
  receiver: { ...world.receiver, url: new URL(`/${row}`, world.receiver.url).href },
})

const after = (ms: number) => new Date(world.clock.now().getTime() + ms)
const secondsOf = (row: string, since: number) =>
  (asked.get(`/${row}`) ?? []).map((ms) => (ms - since) / SECOND_MS)

/** Does all that is due until then, each thing at its time, and leaves the clock there. */
async function liveUntil(until: Date): Promise<void> {
  const isThere = async () => {
    await world.service.processAll()
    const { rows } = await sql<{ at: Date | null }>`
      select min(due_at) as at from webhook_delivery
      where state = 'pending' and due_at > ${world.clock.now()}`.execute(world.database.db.kysely)
    const next = rows[0]!.at
    if (!next || next > until) return true
    world.clock.moveTo(next.toISOString())
    return false
  }
  await waitUntil('nothing more is due', isThere, { everyMs: 0 })
  world.clock.moveTo(until.toISOString())
  await world.service.processAll()
}

describe('the eight attempts', () => {
  const fails = (times: number) => [...Array.from({ length: times }, () => 500), 200]
  const ROWS: [string, { answer: number[]; attempts: number; state: string }][] = [
    ['success at the first', { answer: [200], attempts: 1, state: 'delivered' }],
    ['success at the second', { answer: fails(1), attempts: 2, state: 'delivered' }],
    ['success at the third', { answer: fails(2), attempts: 3, state: 'delivered' }],
    ['success at the sixth', { answer: fails(5), attempts: 6, state: 'delivered' }],
    ['success at the seventh', { answer: fails(6), attempts: 7, state: 'delivered' }],
    ['success at the eighth', { answer: fails(7), attempts: 8, state: 'delivered' }],
    ['no success, and no ninth', { answer: [500], attempts: 8, state: 'dead_lettered' }],
    ['404, then 403, then 200', { answer: [404, 403, 200], attempts: 3, state: 'delivered' }],
    ['301, then 200', { answer: [301, 200], attempts: 2, state: 'delivered' }],
  ]
  const shops: Shop[] = []
  let since: number

  beforeAll(async () => {
    for (const [index, [, { answer }]] of ROWS.entries()) {
      shops.push(await shopThat(`schedule-${index}`, answer))
    }
    since = world.clock.now().getTime()
    for (const shop of shops) await raisePings(world, shop)
    await liveUntil(after(8 * DAY_MS))
  })

  test.each(ROWS.map(([what], index) => [what, index] as const))('%s', async (_, index) => {
    const { attempts, state } = ROWS[index]![1]
    expect(secondsOf(`schedule-${index}`, since)).toEqual(SCHEDULE.slice(0, attempts))
    expect(await deliveriesOf(world, shops[index]!)).toMatchObject([{ attempts, state }])
    expect(await endpointOf(world, shops[index]!)).toMatchObject({
      isOn: true,
      failuresInRow: state === 'delivered' ? 0 : attempts,
    })
  })
})

systemTest('a delay counts from the end of the attempt before', async () => {
  const shop = await shopThat('slow', () => {
    world.clock.advance(DELIVERY_LIMITS.answerMs)
    return 500
  })
  const since = world.clock.now().getTime()
  await raisePings(world, shop)
  await liveUntil(after(3 * DAY_MS))
  expect(secondsOf('slow', since)).toEqual([0, 70, 380, 2_190, 9_400, 31_010, 74_220, 160_630])
})

systemTest(
  'one event, three endpoints, three different failures: three schedules of their own',
  async () => {
    const shop = await shopThat('three-a', [500])
    answers.set('/three-b', () => 200)
    answers.set('/three-c', (number) => (number < 3 ? 503 : 200))
    for (const row of ['three-b', 'three-c']) await addEndpoint(at(row), shop)
    const since = world.clock.now().getTime()
    await raisePings(world, shop)
    await liveUntil(after(2 * DAY_MS))
    expect(secondsOf('three-a', since)).toEqual(SCHEDULE)
    expect(secondsOf('three-b', since)).toEqual([0])
    expect(secondsOf('three-c', since)).toEqual(SCHEDULE.slice(0, 3))
    const states = (await deliveriesOf(world, shop)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['dead_lettered', 'delivered', 'delivered'])
  },
)

systemTest('an event that has waited for more than 7 days is dropped, not sent', async () => {
  const shop = await shopThat('waited', [200])
  await raisePings(world, shop)
  // Nothing runs for eight days.
  world.clock.advance(8 * DAY_MS)
  await world.service.processAll()
  expect(asked.get('/waited')).toBeUndefined()
  expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'expired', attempts: 0 }])
})

describe('an endpoint is switched off', () => {
  test('by 410, at once: that delivery failed and is not repeated, and the owner is told once', async () => {
    const shop = await shopThat('gone', [410, 200])
    await raisePings(world, shop)
    await liveUntil(after(2 * DAY_MS))
    expect(asked.get('/gone')).toHaveLength(1)
    expect(await deliveriesOf(world, shop)).toMatchObject([
      { state: 'dead_lettered', attempts: 1, lastStatus: 410, lastError: 'gone' },
    ])
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: false, offReason: 'gone' })
    expect(await noticesOf(world, { subjectId: shop.endpointId })).toMatchObject([
      { kind: 'endpoint_switched_off', subjectId: shop.endpointId },
    ])
  })

  systemTest('by 410 on a retry', async () => {
    const shop = await shopThat('gone-later', [500, 410, 200])
    const since = world.clock.now().getTime()
    await raisePings(world, shop)
    await liveUntil(after(2 * DAY_MS))
    expect(secondsOf('gone-later', since)).toEqual([0, 60])
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'dead_lettered', attempts: 2 }])
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: false, offReason: 'gone' })
    expect(await noticesOf(world, { subjectId: shop.endpointId })).toHaveLength(1)
  })

  systemTest('by the 100th failure in a row, and not by 99', async () => {
    const shop = await shopThat('hundred', [500])
    await raisePings(world, shop, 99)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: true, failuresInRow: 99 })
    await raisePings(world, shop)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({
      isOn: false,
      offReason: 'failures_in_row',
      failuresInRow: 100,
    })
    expect(
      (await noticesOf(world, { subjectId: shop.endpointId })).map(({ kind }) => kind),
    ).toEqual(['endpoint_failing', 'endpoint_switched_off'])
  })

  systemTest('not by 99 failures, a success of another delivery, and 99 more', async () => {
    const shop = await shopThat('nearly', (number) => (number === 100 ? 200 : 500))
    await raisePings(world, shop, 99)
    await world.service.processAll()
    await raisePings(world, shop)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({
      isOn: true,
      failuresInRow: 0,
      failingSince: null,
    })
    await raisePings(world, shop, 99)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: true, failuresInRow: 99 })
  })

  systemTest(
    'when it has failed for 3 days, counted from the first failure after a success',
    async () => {
      const start = world.clock.now().getTime()
      const hoursNow = () => (world.clock.now().getTime() - start) / HOUR_MS
      const seen: { hours: number; status: number }[] = []
      const shop = await shopThat('days', () => {
        const hasSucceeded = seen.some(({ status }) => status === 200)
        const status = hoursNow() >= 71 && !hasSucceeded ? 200 : 500
        seen.push({ hours: hoursNow(), status })
        return status
      })
      for (let hours = 0; hours <= 168; hours += 12) {
        await liveUntil(new Date(start + hours * HOUR_MS))
        if (hours === 84) expect(await endpointOf(world, shop)).toMatchObject({ isOn: true })
        await raisePings(world, shop)
        await world.service.processAll()
      }
      const { offAt, isOn, offReason } = await endpointOf(world, shop)
      expect({ isOn, offReason }).toEqual({ isOn: false, offReason: 'failing_for_days' })
      const success = seen.findIndex(({ status }) => status === 200)
      expect(seen[success]!.hours).toBeGreaterThanOrEqual(71)
      const firstFailure = seen[success + 1]!.hours
      const lastFailure = seen.find(({ hours }) => hours >= firstFailure + 72)!.hours
      expect((offAt!.getTime() - start) / HOUR_MS).toBe(lastFailure)
      expect(seen.at(-1)!.hours).toBe(lastFailure)
    },
  )

  systemTest('at the failure of day 10, when nothing has succeeded since day 0', async () => {
    const shop = await shopThat('day-10', [500])
    await raisePings(world, shop)
    await liveUntil(after(10 * DAY_MS))
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: true, failuresInRow: 8 })
    await raisePings(world, shop)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({
      isOn: false,
      offReason: 'failing_for_days',
    })
  })

  test('while it is off nothing is sent, and by switching it on nothing of that time either', async () => {
    const shop = await shopThat('off', [200])
    await switchOff(world, shop)
    await raisePings(world, shop, 3)
    await liveUntil(after(DAY_MS))
    expect(asked.get('/off')).toBeUndefined()
    await switchOn(world, shop)
    await liveUntil(after(HOUR_MS))
    expect(asked.get('/off')).toBeUndefined()
    await raisePings(world, shop)
    await world.service.processAll()
    expect(asked.get('/off')).toHaveLength(1)
    const states = (await deliveriesOf(world, shop)).map(({ state }) => state)
    expect(states).toEqual(['held', 'held', 'held', 'delivered'])
  })
})

describe('an account that leaves Business', () => {
  systemTest('with a retry pending: nothing more is delivered', async () => {
    const shop = await shopThat('leaves', [500, 200])
    await raisePings(world, shop)
    await world.service.processAll()
    world.clock.advance(30 * SECOND_MS)
    await setPlan(world, shop, 'pro')
    await liveUntil(after(6 * DAY_MS))
    expect(asked.get('/leaves')).toHaveLength(1)
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'held', attempts: 1 }])
    await liveUntil(after(2 * DAY_MS))
    await world.service.sweep()
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'expired', attempts: 1 }])
  })

  test('and returns before the next attempt: it is made on time', async () => {
    const shop = await shopThat('returns', [500, 200])
    const since = world.clock.now().getTime()
    await raisePings(world, shop)
    await world.service.processAll()
    await liveUntil(after(10 * SECOND_MS))
    await setPlan(world, shop, 'pro')
    await liveUntil(after(30 * SECOND_MS))
    await setPlan(world, shop, 'business')
    await liveUntil(after(HOUR_MS))
    expect(secondsOf('returns', since)).toEqual([0, 60])
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })
})
