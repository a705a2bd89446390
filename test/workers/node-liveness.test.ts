import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { createNodeLivenessWorker } from '../../src/workers/node-liveness.ts'
import { claimIdOf, acquireNodeLock } from '../../src/infra/database/node-locks.sql.ts'
import { connectionConfig } from '../../src/infra/database/connect.ts'
import { NODE_WATCH } from '../../src/core/limits/nodes.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { deliveriesOf, putDeliveries } from '../support/records/deliveries.ts'
import { claim, raisePings } from '../support/deliveries.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const OTHER = '0badcafe'
let phones = 0
const sessions: pg.Client[] = []
/** The process's own time, which the tests move. */
let nowMs = 1_000_000
const world = await openWorld()
vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
afterEach(() => Promise.all(sessions.splice(0).map((session) => session.end())))
afterAll(async () => {
  vi.restoreAllMocks()
})

/** A node that holds its lock, as others see it; the test can end the connection that holds the lock. */
async function live(node: string): Promise<pg.Client> {
  const session = new pg.Client(connectionConfig(world.database.connection))
  await session.connect()
  await acquireNodeLock(session, node)
  sessions.push(session)
  return session
}

const newShop = () => createShop(world, { phoneNumberId: `${(phones += 1)}` })
/** A claim of another node, which lasts for an hour. */
const claimBy = (node: string) => {
  const { ids, clock } = world.service.context
  const leaseExpiresAt = new Date(clock.now().getTime() + HOUR_MS)
  return { claimId: claimIdOf(node, ids.uuid()), leaseExpiresAt }
}

/** Adds a delivery that the other node has claimed. Returns a function that says whether it still has it. */
async function claimedByOther() {
  const shop = await newShop()
  await raisePings(world, shop)
  // Leftovers of an earlier test are claimed along with it.
  const claimed = await claim(world, { first: 100 })
  const delivery = claimed.find(({ companyId }) => companyId === shop.companyId)
  await putDeliveries(world, [delivery!.id], { claimId: claimBy(OTHER).claimId })
  return async () => (await deliveriesOf(world, shop))[0]!.claimId !== null
}

/** Checks again and again for this long. */
async function look(worker: { work(): Promise<boolean> }, forMs: number) {
  for (let ms = 0; ms <= forMs; ms += NODE_WATCH.everyMs) {
    await worker.work()
    nowMs += NODE_WATCH.everyMs
  }
}

const watch = (presentSinceMs: () => number | null) =>
  createNodeLivenessWorker(world.service.context, { presentSinceMs, onProgress: () => undefined })

test('claims of a node that is missing for the grace period are released', async () => {
  const isKept = await claimedByOther()
  const worker = watch(() => 0)
  await live(worker.node)
  await look(worker, NODE_WATCH.graceMs - NODE_WATCH.everyMs)
  expect(await isKept()).toBe(true)
  await look(worker, NODE_WATCH.graceMs)
  expect(await isKept()).toBe(false)
})

test('a node that the database does not see alive judges no other, and its claims do not name it', async () => {
  const isKept = await claimedByOther()
  // The node believes that it is connected: the other end was lost silently, or a pooler shares it.
  const worker = watch(() => 0)
  await look(worker, 4 * NODE_WATCH.graceMs)
  expect(await isKept()).toBe(true)
  expect(worker.claimId().startsWith(worker.node)).toBe(false)
  await live(worker.node)
  await worker.work()
  expect(worker.claimId().startsWith(worker.node)).toBe(true)
  await look(worker, NODE_WATCH.graceAfterAbsenceMs - 2 * NODE_WATCH.everyMs)
  expect(await isKept()).toBe(true)
  await look(worker, NODE_WATCH.graceMs)
  expect(await isKept()).toBe(false)
})

test('a node that was unavailable itself gives the others the time of their longest reconnect', async () => {
  const isKept = await claimedByOther()
  let presentSinceMs: number | null = nowMs
  const worker = watch(() => presentSinceMs)
  const other = await live(OTHER)
  await live(worker.node)
  await look(worker, NODE_WATCH.graceMs)
  // The database was unavailable for all nodes; this one is the first to be back.
  await other.end()
  sessions.splice(sessions.indexOf(other), 1)
  presentSinceMs = nowMs
  await look(worker, NODE_WATCH.graceAfterAbsenceMs - NODE_WATCH.everyMs)
  expect(await isKept()).toBe(true)
  await live(OTHER)
  await look(worker, 2 * NODE_WATCH.graceAfterAbsenceMs)
  expect(await isKept()).toBe(true)
})
