/**
 * The database is unavailable for 3 seconds, twice, while deliveries are made. The service recovers automatically,
 * logs the fault a few times only, and loses nothing: an attempt that could not be recorded is made again, with the
 * same ids, once its lease has expired.
 */
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { eventsOf } from '../support/records/events.ts'
import { ofEach } from '../support/records/records.ts'
import { createCrossProcessNotify } from '../../src/infra/database/cross-process-notify.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { eventIdText } from '../../src/modules/events/event-id.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { createShops } from '../support/shop.ts'
import { createWorldOn } from '../support/world.ts'
import { repeatDuring } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { raisePings } from '../support/deliveries.ts'

const SHOPS = 6
const AWAY_MS = 3_000
const clock = { aheadMs: 0, now: () => new Date(new Date().getTime() + clock.aheadMs) }

const database = await createTestDatabase()
const proxy = await createDatabaseProxy(database.connection)
const world = await createWorldOn({ ...database, connection: proxy.connection }, { clock })
const shops = await createShops(world, SHOPS)
await world.service.startDaemon()
afterAll(async () => {
  await world.close()
  await proxy.close()
})

test(
  'nothing is lost while the database is unavailable for 3 seconds under load, and the log stays short',
  async () => {
    const signal = createCrossProcessNotify(database.db, pino({ level: 'silent' }))
    const readEvents = () => ofEach(shops, ({ companyId }) => eventsOf(world, { companyId }))
    const earlier = (await readEvents()).length
    const toldBefore = world.logged.length
    const raised: string[] = []
    /** The context of a node that still reaches the database, by which events are raised. */
    const context = { ...world.service.context, db: database.db }
    const beside = { ...world, service: { ...world.service, context } }
    const raise = async () => {
      const shop = shops[raised.length % SHOPS]!
      await raisePings(beside, shop)
      raised.push(shop.companyId)
      signal.notify()
    }
    const arrived = () => new Set(world.receiver.received.map(({ event }) => event.id)).size
    const someMore = async () => {
      const before = arrived()
      await expect.poll(arrived, { timeout: 90_000 * TIMEOUT_FACTOR }).toBeGreaterThan(before + 20)
    }
    const closeTheDoor = async () => {
      for (let time = 0; time < 2; time += 1) {
        await someMore()
        proxy.shut()
        await new Promise((resolve) => setTimeout(resolve, AWAY_MS))
        proxy.open()
      }
      await someMore()
    }
    await repeatDuring('raising of events', raise, closeTheDoor, { withinMs: 120_000 })
    await signal.close()
    // A delivery that was posted and could not be recorded is held by its lease: that time passes.
    clock.aheadMs += DELIVERY_ENGINE.leaseMs + MINUTE_MS
    const waiting = async () => {
      const all = await ofEach(shops, (shop) => deliveriesOf(world, shop))
      return all.filter(({ state }) => state !== 'delivered').length
    }
    await expect.poll(waiting, { timeout: 90_000 * TIMEOUT_FACTOR }).toBe(0)

    const events = await readEvents()
    const known = new Set(world.receiver.received.map(({ event }) => event.id))
    expect(events.length).toBe(earlier + raised.length)
    expect(events.filter(({ id }) => !known.has(eventIdText(id)))).toEqual([])
    // Each event keeps its delivery's id and its bytes, however often it is sent.
    const bodies = Map.groupBy(world.receiver.received, ({ event }) => event.id)
    for (const sent of bodies.values()) {
      expect(new Set(sent.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1)
      expect(new Set(sent.map(({ body }) => body.toString('hex'))).size).toBe(1)
    }
    // A fault is logged once for each outage: a line or two of each worker.
    const warned = world.logged.slice(toldBefore).filter((line) => /"level":(40|50)/.test(line))
    const ofWorker = Map.groupBy(
      warned.filter((line) => line.includes('worker failed')),
      (line) => (JSON.parse(line) as { worker: string }).worker,
    )
    for (const lines of ofWorker.values()) expect(lines.length).toBeLessThanOrEqual(4)
    expect(warned.length).toBeLessThan(400)
  },
  300_000 * TIMEOUT_FACTOR,
)
