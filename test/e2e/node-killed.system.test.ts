/**
 * Two nodes deliver from one database. Deliveries in flight on a node that dies are claimed by another within
 * seconds, and other deliveries to their endpoints do not wait for its leases. A node that only loses its connection
 * for a moment keeps its claims.
 */
import { pino } from 'pino'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openKillableWorld, type ServiceProcess } from '../support/killable-world.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { eventsOf } from '../support/records/events.ts'
import { sessionsAreIdle } from '../support/records/locks.ts'
import { ofEach } from '../support/records/records.ts'
import { createClock } from '../../src/core/clock.ts'
import { createCrossProcessNotify } from '../../src/infra/database/cross-process-notify.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { eventIdText } from '../../src/modules/events/event-id.ts'
import { createShops, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { raisePings } from '../support/deliveries.ts'

const SHOPS = 5
const EACH = DELIVERY_ENGINE.inFlightPerEndpoint
const { world, serve } = await openKillableWorld({ clock: createClock() })
const signal = createCrossProcessNotify(world.database.db, pino({ level: 'silent' }))
const serveNode = () => serve({ LOG_LEVEL: 'info' }, 'delivery-process.ts')
const [first, second] = [await serveNode(), await serveNode()]
afterAll(() => signal.close())
afterEach(async () => {
  world.receiver.answerAfter(0)
  await Promise.all([first.stop(), second.stop()])
})

/** Waits for a condition, on a machine that others may keep busy. Returns the time that it took. */
async function until(what: () => boolean | Promise<boolean>): Promise<number> {
  const from = performance.now()
  await waitUntil('the nodes to do their work', what, { withinMs: 40_000, everyMs: 10 })
  return performance.now() - from
}

/** Returns the sessions that hold the lock of a node. */
async function nodeSessions(): Promise<number[]> {
  const { rows } = await world.database.db.pool.query<{ pid: number }>(
    `select distinct pid, backend_start from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objsubid = 2 and granted and datname = current_database()
      order by backend_start`,
  )
  return rows.map(({ pid }) => pid)
}

/** Starts a node and waits until others can see that it lives. */
async function startNode(node: ServiceProcess) {
  const { length } = await nodeSessions()
  await node.start()
  await until(async () => (await nodeSessions()).length === length + 1)
}

async function endSessions(pids: number[]) {
  const { pool } = world.database.db
  await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids])
}

/** Counts how often a node has released the claims of another. */
const takenOn = () =>
  (first.logged() + second.logged()).split('"claims of dead nodes released').length - 1

/** Starts both nodes, and lets the first one alone begin a number of deliveries for each shop. */
async function raiseAtFirst(shops: readonly Shop[], times: number): Promise<string[]> {
  await startNode(first)
  await startNode(second)
  await until(() => sessionsAreIdle(world))
  second.pause()
  const begun = await raise(Array.from({ length: times }, () => shops).flat())
  await until(() => begun.every((id) => receivedTimes(id) === 1))
  return begun
}

/** Raises one event for each shop. Returns the ids of the events. */
async function raise(shops: readonly Shop[]): Promise<string[]> {
  // Concurrently, so that the attempts are in flight long before their time-out, also on a busy machine.
  await Promise.all(shops.map((shop) => raisePings(world, shop)))
  signal.notify()
  const events = await ofEach(shops, ({ companyId }) => eventsOf(world, { companyId }))
  // Ids follow the order of time.
  const newest = [...new Set(events.map(({ id }) => id))].toSorted().slice(-shops.length)
  return newest.map(eventIdText)
}

const receivedTimes = (eventId: string) =>
  world.receiver.received.filter(({ event }) => event.id === eventId).length

const deliveriesTo = (shops: readonly Shop[]) => ofEach(shops, (shop) => deliveriesOf(world, shop))
const logOf = async (shops: readonly Shop[]) =>
  ofEach(await deliveriesTo(shops), ({ id }) => attemptsOf(world, id))
const statesOf = async (shops: readonly Shop[]) =>
  (await deliveriesTo(shops)).map(({ state, attempts }) => `${state} ${attempts}`)

test(
  'deliveries of a killed node are claimed within 5 s, and new events of their endpoints arrive in 1 s',
  async () => {
    const shops = await createShops(world, SHOPS)
    const others = await createShops(world, SHOPS)
    const takenOnBefore = takenOn()
    // The answers take longer than the test: requests of the killed node are never answered.
    world.receiver.answerAfter(25_000)
    const begun = await raiseAtFirst(shops, EACH)
    world.receiver.answerAfter(0)
    await first.kill()
    second.goOn()
    const killedAt = performance.now()
    // Deliveries to endpoints without attempts of the killed node show how fast the machine is.
    const ofOthers = await raise(others)
    const ofShops = await raise(shops)
    const othersMs = await until(() => ofOthers.every((id) => receivedTimes(id) > 0))
    const freshMs = othersMs + (await until(() => ofShops.every((id) => receivedTimes(id) > 0)))
    await until(() => begun.every((id) => receivedTimes(id) === 2))
    const takenOnMs = performance.now() - killedAt
    await until(async () => (await statesOf(shops)).every((state) => state === 'delivered 1'))
    console.log(
      `new events after ${Math.round(freshMs)} ms, elsewhere after ${Math.round(othersMs)} ms, all taken on after ${Math.round(takenOnMs)} ms`,
    )
    expect(freshMs).toBeLessThan(1_000 + othersMs)
    expect(takenOnMs).toBeLessThan(5_000 + othersMs)
    expect(takenOn()).toBe(takenOnBefore + 1)
  },
  120_000 * TIMEOUT_FACTOR,
)

test(
  'a node that loses its connection for a moment keeps its deliveries in flight',
  async () => {
    const shops = await createShops(world, 2)
    world.receiver.answerAfter(4_000)
    const begun = await raiseAtFirst(shops, 1)
    second.goOn()
    const before = { sessions: await nodeSessions(), takenOn: takenOn() }
    await endSessions(before.sessions)
    await until(async () => {
      const now = await nodeSessions()
      return now.length === 2 && now.every((pid) => !before.sessions.includes(pid))
    })
    await until(async () => (await statesOf(shops)).every((state) => state === 'delivered 1'))
    expect(begun.map(receivedTimes)).toEqual([1, 1])
    expect(takenOn()).toBe(before.takenOn)
  },
  120_000 * TIMEOUT_FACTOR,
)

test(
  'a live node that was taken for dead finishes late, which changes nothing',
  async () => {
    const shops = await createShops(world, 1)
    world.receiver.answerAfter(500)
    const [eventId] = await raiseAtFirst(shops, 1)
    const [ofFirst] = await nodeSessions()
    // The node is paused, and its connection is lost.
    first.pause()
    await endSessions([ofFirst!])
    second.goOn()
    await until(() => receivedTimes(eventId!) === 2)
    await until(async () => (await statesOf(shops))[0] === 'delivered 1')
    first.goOn()
    await until(async () => (await logOf(shops)).length === 2)
    expect(await statesOf(shops)).toEqual(['delivered 1'])
    expect((await logOf(shops)).map(({ isLate }) => isLate).toSorted()).toEqual([false, true])
  },
  120_000 * TIMEOUT_FACTOR,
)

test('a node that stops is not taken for dead while it ends its deliveries in flight', async () => {
  const shops = await createShops(world, 1)
  world.receiver.answerAfter(4_000)
  const [eventId] = await raiseAtFirst(shops, 1)
  second.goOn()
  expect(await first.stop()).toBe(0)
  expect(await statesOf(shops)).toEqual(['delivered 1'])
  expect(receivedTimes(eventId!)).toBe(1)
})
