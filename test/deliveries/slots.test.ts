/**
 * A delivery that waits for a slot, in memory or in its queue, gets it when a slot becomes free, on this node or on
 * another. Spec: Deliveries › Order and shares.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeliveriesWorker, type DeliveriesWorker } from '../../src/workers/deliveries.ts'
import { claimIdOf } from '../../src/infra/database/node-locks.sql.ts'
import type { DeliveryDispatcher } from '../../src/infra/database/after-commit.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { createMetrics } from '../../src/infra/metrics.ts'
import {
  createOutboundClient,
  type OutboundAnswer,
} from '../../src/infra/egress/outbound-client.ts'
import { createResolver } from '../../src/infra/egress/resolve.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterEach(() => world.close())

const setDispatcher = (to: DeliveryDispatcher | null) => {
  world.service.context.db.afterCommit.deliveryDispatcher = to
}
const another = (name: string) =>
  createShop(world, { phoneNumberId: name, businessAccountId: name })

/** The worker of a node, whose attempts end when the test says so, with counts of its wake-ups and attempts. */
function hanging(node: string, missing = (): string[] => []) {
  const { ids } = world.service.context
  const answers: (() => void)[] = []
  const counts = { woken: 0, begun: 0 }
  const timings = { dnsMs: null, connectMs: null, answerMs: 1 }
  const answer: OutboundAnswer = {
    kind: 'answer',
    status: 204,
    headers: [],
    head: Buffer.alloc(0),
    truncated: false,
    areHeadersCut: false,
    remoteAddress: null,
    timings,
  }
  const hangs: DeliveriesWorker = createDeliveriesWorker(world.service.context, {
    outbound: {
      ...createOutboundClient({ resolve: createResolver(), isAllowedAddress: () => false }),
      send: () =>
        new Promise((resolve) => {
          counts.begun += 1
          answers.push(() => resolve(answer))
        }),
    },
    keyRing: world.service.keyRing,
    meter: createMetrics().deliveries,
    nodes: { claimId: () => claimIdOf(node, ids.uuid()), missing },
    onProgress: () => (counts.woken += 1),
  })
  const begun = (count: number) => waitUntil(`${count} attempts`, () => counts.begun === count)
  /** Lets every attempt be answered immediately from here on. */
  async function end() {
    setDispatcher(null)
    await waitUntil('the end of all attempts', () => {
      answers.splice(0).forEach((its) => its())
      return hangs.inFlight() === 0
    })
  }
  return { worker: hangs, counts, answers, begun, end }
}

const statesOf = async () => (await deliveriesOf(world, shop)).map(({ state }) => state)

test('a delivery in memory gets a slot after claimed deliveries had all of them', async () => {
  const max = DELIVERY_ENGINE.inFlight.first
  const { inFlightPerAccount, inFlightPerEndpoint } = DELIVERY_ENGINE
  for (let n = 0; n < max / inFlightPerAccount; n += 1) {
    const other = await another(`full-${n}`)
    for (let more = 1; more < inFlightPerAccount / inFlightPerEndpoint; more += 1) {
      await addEndpoint(world, other)
    }
    await raisePings(world, other, inFlightPerEndpoint)
  }
  const node = hanging('aaaaaaaa')
  await waitUntil('a claim of all places', async () => {
    await node.worker.work()
    return node.counts.begun === max
  })
  setDispatcher(node.worker.dispatcher)
  await raisePings(world, shop)
  expect((await deliveriesOf(world, shop))[0]!.claimId).not.toBeNull()
  node.answers.shift()!()
  await node.begun(max + 1)
  await node.end()
  expect(await statesOf()).toEqual(['delivered'])
})

test('a freed slot wakes the claim of a delivery that began to wait during a claim', async () => {
  const node: ReturnType<typeof hanging> = hanging('aaaaaaaa', () => {
    node.worker.dispatcher.take(0, [], [shop])
    return []
  })
  setDispatcher(node.worker.dispatcher)
  await raisePings(world, shop)
  await node.begun(1)
  await node.worker.work()
  expect(node.counts.woken).toBe(0)
  await node.end()
  expect(node.counts.woken).toBe(1)
})

systemTest('a delivery is claimed again and again while another node has all slots', async () => {
  const [node, other] = [hanging('aaaaaaaa'), hanging('bbbbbbbb')]
  setDispatcher(other.worker.dispatcher)
  await raisePings(world, shop, DELIVERY_ENGINE.inFlightPerEndpoint)
  setDispatcher(node.worker.dispatcher)
  await raisePings(world, shop)
  expect(node.counts.woken).toBe(1)
  // Other deliveries in flight on this node end some time, which says nothing of this endpoint's slots.
  await raisePings(world, await another('elsewhere'))
  await node.begun(1)
  expect(await node.worker.nextDue()).toEqual(new Date(world.clock.now().getTime() + SECOND_MS))
  await other.begun(DELIVERY_ENGINE.inFlightPerEndpoint)
  await other.end()
  await node.worker.work()
  await node.begun(2)
  await node.end()
  expect(new Set(await statesOf())).toEqual(new Set(['delivered']))
})

test('a node that stopped during its claim releases the delivery, which another may have begun', async () => {
  let stoodStill = 0
  const node = hanging('aaaaaaaa', () => {
    world.clock.advance(stoodStill)
    stoodStill = 0
    return []
  })
  await raisePings(world, shop)
  stoodStill = DELIVERY_ENGINE.leaseMs / 2
  await node.worker.work()
  expect(node.counts.begun).toBe(0)
  expect((await deliveriesOf(world, shop))[0]!.claimId).toBeNull()
  await node.worker.work()
  expect(node.counts.begun).toBe(1)
  await node.end()
  expect(await statesOf()).toEqual(['delivered'])
})

test('the first 32 of a backlog begin before the others are claimed, if none is in flight', async () => {
  const { worker, end } = hanging('aaaaaaaa')
  const shops = [shop, await another('second'), await another('third')]
  for (const one of shops) {
    for (let more = 0; more < 3; more += 1) await addEndpoint(world, one)
    await raisePings(world, one, 8)
  }
  await worker.work()
  const claims = (await Promise.all(shops.map((one) => deliveriesOf(world, one)))).flat()
  const sizes = new Map<string, number>()
  for (const { claimId } of claims) {
    if (claimId !== null) sizes.set(claimId, (sizes.get(claimId) ?? 0) + 1)
  }
  expect([...sizes.values()].toSorted((a, b) => a - b)).toEqual([32, 64])
  await end()
})
