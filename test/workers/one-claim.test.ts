/** A worker that is notified of work makes one claim, which also says when to look again. */
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import type { Context } from '../../src/infra/context.ts'
import { claimIdOf } from '../../src/infra/database/node-locks.sql.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { createMetrics } from '../../src/infra/metrics.ts'
import { RUN_QUEUE, type ClaimedRun } from '../../src/modules/flows/runs/run-queue.ts'
import { createDeliveriesWorker } from '../../src/workers/deliveries.ts'
import { createWorker } from '../../src/workers/worker.ts'
import { raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { addWaitingRun } from '../support/waiting-rows.ts'

const world = await openWorld()
const shop = await createShop(world)

const NODE = 'aaaaaaaa'
const claimId = () => claimIdOf(NODE, world.service.context.ids.uuid())

/** Returns the service's context with a database that counts the statements which are sent to it. */
function countedContext() {
  const { context } = world.service
  const counted = { statements: 0 }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      counted.statements += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const db = { ...context.db, kysely: context.db.kysely.withPlugin(plugin) }
  return { counted, context: { ...context, db } satisfies Context }
}

const inMs = (ms: number) => new Date(world.clock.now().getTime() + ms)

test('A wake for one run costs one claim, which says when its lease ends', async () => {
  const { counted, context } = countedContext()
  const taken: string[] = []
  const worker = createWorker<ClaimedRun>(
    context,
    {
      name: 'runs',
      queue: RUN_QUEUE,
      places: { maxConcurrent: 4 },
      take: async ({ id }) => void taken.push(id),
      onError: () => {},
      wakesAtEnd: false,
    },
    { claimId, onProgress: () => {} },
  )
  const id = await addWaitingRun(
    world,
    { shop, companyId: shop.companyId, channelId: shop.channelId },
    'queued',
  )
  expect(await worker.work()).toBe(false)
  expect(taken).toEqual([id])
  const looked = counted.statements
  // Expired leases were looked for as well, which is done once a second.
  expect(looked).toBe(2)
  expect(await worker.nextDue()).toEqual(inMs(RUN_LIMITS.leaseMs))
  expect(counted.statements).toBe(looked)
})

test('A wake for one delivery costs one claim: no retry is due and no endpoint has changed', async () => {
  const { counted, context } = countedContext()
  const { keyRing } = world.service
  const worker = createDeliveriesWorker(context, {
    outbound: { send: () => new Promise<never>(() => {}) } as never,
    keyRing,
    meter: createMetrics().deliveries,
    nodes: { claimId, missing: () => [] },
    onProgress: () => {},
  })
  await worker.work()
  await raisePings(world, shop)
  const before = counted.statements
  expect(await worker.work()).toBe(false)
  expect(worker.inFlight()).toBe(1)
  expect(counted.statements - before).toBe(1)
  expect(await worker.nextDue()).toEqual(inMs(DELIVERY_ENGINE.leaseMs))
  expect(counted.statements - before).toBe(1)
})
