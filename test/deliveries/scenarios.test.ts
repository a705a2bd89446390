/** The schedule of the eight attempts as the specification describes it, over simulated days. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { DAY_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { DELIVERY_QUEUE } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { dueNext } from '../support/queues.ts'
import { endpointOf } from '../support/records/endpoints.ts'
import { deliveriesOf, deliveryStatesOf } from '../support/records/deliveries.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { type World } from '../support/test-service.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

/** Seconds after the event at which the eight attempts start. */
const SCHEDULE = [0, 60, 360, 2_160, 9_360, 30_960, 74_160, 160_560]

// A hundred attempts and simulated days take long where the machine is shared.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/** The answer of each row of a test, by the number of the request (from 1). */
const answers = new Map<string, (number: number) => number>()
/** The times of the requests of each row, in milliseconds of the simulated time. */
const asked = new Map<string, number[]>()

const world = await openWorld()
world.receiver.answerWith(({ path }) => {
  const times = asked.get(path) ?? []
  asked.set(path, [...times, world.clock.now().getTime()])
  return answers.get(path)?.(times.length + 1) ?? 200
})

/** A shop whose endpoint gives these answers; the last of a list is for every request after it. */
async function shopThat(
  row: string,
  answer: number[] | ((number: number) => number),
): Promise<Shop> {
  const path = `/${row}`
  answers.set(
    path,
    typeof answer === 'function' ? answer : (number) => answer[number - 1] ?? answer.at(-1)!,
  )
  return createOwnShop(at(row))
}

/** The world with its receiver at the row's path. */
const at = (row: string): World => ({
  ...world,
  receiver: { ...world.receiver, url: new URL(`/${row}`, world.receiver.url).href },
})

const after = (ms: number) => new Date(world.clock.now().getTime() + ms)
const secondsOf = (row: string, since: number) =>
  (asked.get(`/${row}`) ?? []).map((ms) => (ms - since) / SECOND_MS)

/** Processes all that is due until then, each at its time, and leaves the clock there. */
async function liveUntil(until: Date): Promise<void> {
  const isThere = async () => {
    await world.service.processAll()
    const next = await dueNext(world, DELIVERY_QUEUE)
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
    ['success at the second', { answer: fails(1), attempts: 2, state: 'delivered' }],
    ['success at the eighth', { answer: fails(7), attempts: 8, state: 'delivered' }],
    ['no success, and no ninth', { answer: [500], attempts: 8, state: 'dead_lettered' }],
    ['404, then 403, then 200', { answer: [404, 403, 200], attempts: 3, state: 'delivered' }],
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

systemTest('a delay starts at the end of the attempt before', async () => {
  const shop = await shopThat('slow', () => {
    world.clock.advance(DELIVERY_LIMITS.answerMs)
    return 500
  })
  const since = world.clock.now().getTime()
  await raisePings(world, shop)
  await liveUntil(after(3 * DAY_MS))
  expect(secondsOf('slow', since)).toEqual([0, 70, 380, 2_190, 9_400, 31_010, 74_220, 160_630])
})

systemTest('one event to three endpoints that fail differently: three schedules', async () => {
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
  expect((await deliveryStatesOf(world, shop)).toSorted()).toEqual([
    'dead_lettered',
    'delivered',
    'delivered',
  ])
})

systemTest('an endpoint is switched off at a failure on day 10, without a success', async () => {
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
