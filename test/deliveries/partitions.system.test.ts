import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { createPartitionsOfDay } from '../../src/infra/database/missing-partition.ts'
import { RETENTION, SWEEP } from '../../src/core/limits/retention.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import {
  dropOldPartitions,
  createComingPartitions,
} from '../../src/modules/events/sweep-partitions.sql.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { signedIn } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
import { postHook } from '../support/post-hook.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ hasOwnDatabase: true })
  // A test database has the coming days from the start; here it has only today, as other databases do.
  for (const name of await tables()) await sql`drop table ${sql.table(name)}`.execute(kysely())
  await createPartitionsOfDay(kysely(), world.clock.now())
})
afterEach(() => world.close())

const kysely = () => world.database.db.kysely
const drop = () => dropOldPartitions(kysely(), world.clock.now())
async function tables() {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname ~ '_\\d{8}$' order by relname
  `.execute(kysely())
  return rows.map(({ name }) => name)
}
const nameOfDay = (atMs: number) => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')
const day = (afterDays: number) => nameOfDay(world.clock.now().getTime() + afterDays * DAY_MS)
/** Returns the first day of the week, which begins on Monday. */
const weekBegin = () => {
  const todayMs = world.clock.now().setUTCHours(0, 0, 0, 0)
  return todayMs - ((new Date(todayMs).getUTCDay() + 6) % 7) * DAY_MS
}
/** Returns the partitions of today, then those of this week, and the first moments after either. */
const today = () => ['delivery_attempt', 'event_body'].map((parent) => `${parent}_${day(0)}`)
const thisWeek = () =>
  ['webhook_delivery', 'event'].map((parent) => `${parent}_${nameOfDay(weekBegin())}`)
const endOfToday = () => new Date(world.clock.now()).setUTCHours(24, 0, 0, 0)
const endOfWeek = () => weekBegin() + 7 * DAY_MS

test('today and the next 7 days exist in advance, however often and by how many nodes they are made', async () => {
  await Promise.all(
    Array.from({ length: 4 }, () => createComingPartitions(kysely(), world.clock.now())),
  )
  const names = await tables()
  expect(names).toHaveLength(2 * (SWEEP.daysAhead + 1) + 2 * 2)
  expect(names).toEqual(expect.arrayContaining(thisWeek()))
  for (let ahead = 0; ahead <= SWEEP.daysAhead; ahead += 1) {
    expect(names).toContain(`event_body_${day(ahead)}`)
    expect(names).toContain(`delivery_attempt_${day(ahead)}`)
  }
})

test('a day, or a week, is dropped when all of it is older than 30 days, not a moment before', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  const ends = [
    { end: endOfToday() + RETENTION.deliveryLogMs, partitions: today() },
    { end: endOfWeek() + RETENTION.deliveryLogMs, partitions: thisWeek() },
  ]
  for (const { end, partitions } of ends) {
    world.clock.moveTo(new Date(end - 1).toISOString())
    await drop()
    expect(await tables()).toEqual(expect.arrayContaining(partitions))
    world.clock.moveTo(new Date(end).toISOString())
    await drop()
    expect(await tables()).not.toContain(partitions[0])
    // An event may be about to be resent by a transaction that began before.
    world.clock.advance(10 * MINUTE_MS)
    await drop()
    expect(await tables()).not.toContain(partitions[1])
  }
})

test('a delivery is shown for 30 days, although its week is dropped later', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  const [delivery] = await deliveriesOf(world, shop)
  const shown = async () => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const company = `/companies/${shop.companyId}`
    const found = async (path: string) =>
      (await owner.ask<{ items: unknown[] }>('GET', `${company}/${path}`)).body.items.length
    const { body: count } = await owner.ask('GET', `${company}/deliveries/count`)
    return {
      list: await found('deliveries'),
      ofEvent: await found('deliveries?type=ping'),
      count,
      one: (await owner.ask('GET', `${company}/deliveries/${delivery!.id}`)).status,
      search: await found(`search?text=${delivery!.id}`),
      searchEvent: await found(`search?text=${delivery!.eventId}`),
    }
  }
  const end = delivery!.createdAt.getTime() + RETENTION.deliveryLogMs
  world.clock.moveTo(new Date(end - 1).toISOString())
  expect(await shown()).toEqual({
    list: 1,
    ofEvent: 1,
    count: { count: 1, isMore: false },
    one: 200,
    search: 1,
    searchEvent: 2,
  })
  world.clock.moveTo(new Date(end + 1).toISOString())
  expect(await shown()).toEqual({
    list: 0,
    ofEvent: 0,
    count: { count: 0, isMore: false },
    one: 404,
    search: 0,
    searchEvent: 0,
  })
})

test('the log of deliveries that have not expired yet is not dropped', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  const before = await tables()
  world.clock.advance(40 * DAY_MS)
  expect(await drop()).toBe(0)
  expect(await tables()).toEqual(before)
  await world.service.sweep()
  expect(await tables()).not.toEqual(expect.arrayContaining(before))
})

test('an event is kept as long as its last resend', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  const [source] = await deliveriesOf(world, shop)
  const [deliveries, events] = thisWeek()
  world.clock.advance(28 * DAY_MS)
  await createComingPartitions(kysely(), world.clock.now())
  const owner = await signedIn(world, { accountId: shop.accountId })
  const company = `/companies/${shop.companyId}`
  await owner.ask('POST', `${company}/deliveries/${source!.id}/resend`)
  await world.service.processAll()
  const end = endOfWeek() + RETENTION.deliveryLogMs
  world.clock.advance(29 * DAY_MS)
  await drop()
  expect(await tables()).toContain(events)
  expect(await tables()).not.toContain(deliveries)
  const later = await signedIn(world, { accountId: shop.accountId })
  const { body } = await later.ask<{ items: unknown }>('GET', `${company}/deliveries?type=ping`)
  expect(body.items).toMatchObject([{ kind: 'resend', type: 'ping' }])
  world.clock.moveTo(new Date(end).toISOString())
  await drop()
  expect(await tables()).not.toContain(events)
})

test('a day that a crash left half dropped is finished', async () => {
  const [attempts, bodies] = today()
  await sql`alter table delivery_attempt detach partition ${sql.table(attempts!)}`.execute(kysely())
  // An interrupted detach, which began while another connection read, leaves this mark in the catalogue.
  const reader = connectDatabase(world.database.connection)
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
  const { promise: isReading, resolve: reads } = Promise.withResolvers<void>()
  const reading = reader.kysely.transaction().execute(async (tx) => {
    await sql`select count(*) from event_body`.execute(tx)
    reads()
    await isDone
  })
  await isReading
  await kysely()
    .connection()
    .execute(async (session) => {
      await sql`set lock_timeout = '100ms'`.execute(session)
      await expect(
        sql`alter table event_body detach partition ${sql.table(bodies!)} concurrently`.execute(
          session,
        ),
      ).rejects.toThrow(/lock timeout/)
      await sql`set lock_timeout = '10s'`.execute(session)
    })
  world.clock.advance(32 * DAY_MS)
  finish()
  await reading
  await reader.close()
  world.clock.advance(7 * DAY_MS)
  expect(await drop()).toBe(4)
  expect(await tables()).toEqual([])
})

test('a drop gives up during a long read of its day while others continue, and is done later', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  const old = [...today(), ...thisWeek()]
  world.clock.advance(39 * DAY_MS)
  const reader = connectDatabase(world.database.connection)
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
  const { promise: isReading, resolve: reads } = Promise.withResolvers<void>()
  const reading = reader.kysely.transaction().execute(async (tx) => {
    await sql`select count(*) from delivery_attempt, webhook_delivery, event`.execute(tx)
    reads()
    await isDone
  })
  await isReading
  const meanwhile = async () => {
    expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
    await raisePings(world, shop, 3)
    await world.service.processAll()
    expect((await deliveriesOf(world, shop)).at(-1)).toMatchObject({ state: 'delivered' })
  }
  await Promise.all([expect(drop()).rejects.toThrow(/lock timeout/), meanwhile()])
  finish()
  await reading
  await reader.close()
  await drop()
  for (const name of old) expect(await tables()).not.toContain(name)
  const { rows } = await sql<{ lockTimeout: string }>`
    select current_setting('lock_timeout') as lock_timeout`.execute(kysely())
  expect(rows).toEqual([{ lockTimeout: '10s' }])
})

test('a node leaves a drop alone that another node is doing', async () => {
  world.clock.advance(39 * DAY_MS)
  const dropped = await Promise.all([drop(), drop(), drop()])
  expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(4)
})

test('an event whose day is missing is delivered all the same: the day is made for it', async () => {
  const shop = await createShop(world)
  world.clock.advance(40 * DAY_MS)
  await raisePings(world, shop)
  await world.service.processAll()
  const [delivery] = await deliveriesOf(world, shop)
  expect(delivery).toMatchObject({ state: 'delivered' })
  expect(await attemptsOf(world, delivery!.id)).toHaveLength(1)
})

test.each(['by a person', 'by a job'])('a resend %s on day 30 is still sent', async (who) => {
  const shop = await createShop(world)
  const lastDayMs = endOfToday() + RETENTION.deliveryLogMs - DAY_MS
  await raisePings(world, shop)
  await world.service.processAll()
  const [source] = await deliveriesOf(world, shop)
  world.clock.moveTo(new Date(lastDayMs).toISOString())
  await createComingPartitions(kysely(), world.clock.now())
  const owner = await signedIn(world, { accountId: shop.accountId })
  const company = `/companies/${shop.companyId}`
  const { status } =
    who === 'by a job'
      ? await owner.ask('POST', `${company}/resend-jobs`, {
          kind: 'resend',
          endpointId: shop.endpointId,
        })
      : await owner.ask('POST', `${company}/deliveries/${source!.id}/resend`)
  expect(status).toBe(201)
  world.receiver.answerWith(500)
  await world.service.processAll()
  world.clock.advance(DAY_MS)
  expect(await drop()).toBe(2)
  world.receiver.answerWith(204)
  await world.service.processAll()
  const resend = (await deliveriesOf(world, shop)).find(({ kind }) => kind === 'resend')
  expect(resend).toMatchObject({ state: 'delivered', attempts: 2 })
  expect(world.receiver.received.at(-1)!.body).toEqual(world.receiver.received[0]!.body)
})
