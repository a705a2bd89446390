import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { createPartitionsOfDay } from '../../src/infra/database/missing-partition.ts'
import { RETENTION, SWEEP } from '../../src/core/limits/retention.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { dropOldDays, makeComingDays } from '../../src/modules/events/sweep-days.sql.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { signedIn } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
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
const drop = () => dropOldDays(kysely(), world.clock.now())
async function tables() {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname ~ '^(event_body|delivery_attempt)_' order by relname
  `.execute(kysely())
  return rows.map(({ name }) => name)
}
const day = (afterDays: number) =>
  new Date(world.clock.now().getTime() + afterDays * DAY_MS)
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '')
/** Returns the partitions of today, and the first moment at which all of today is too old. */
const today = () => ['delivery_attempt', 'event_body'].map((parent) => `${parent}_${day(0)}`)
const endOfToday = () => new Date(world.clock.now()).setUTCHours(24, 0, 0, 0)

test('today and the next 7 days exist in advance, however often and by how many nodes they are made', async () => {
  await Promise.all(Array.from({ length: 4 }, () => makeComingDays(kysely(), world.clock.now())))
  const names = await tables()
  expect(names).toHaveLength(2 * (SWEEP.daysAhead + 1))
  for (let ahead = 0; ahead <= SWEEP.daysAhead; ahead += 1) {
    expect(names).toContain(`event_body_${day(ahead)}`)
    expect(names).toContain(`delivery_attempt_${day(ahead)}`)
  }
})

test('a day is dropped when all of it is older than 30 days, not a moment before', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  const old = today()
  const end = endOfToday() + RETENTION.deliveryLogMs
  world.clock.moveTo(new Date(end - 1).toISOString())
  expect(await drop()).toBe(0)
  expect(await tables()).toEqual(expect.arrayContaining(old))
  world.clock.moveTo(new Date(end).toISOString())
  expect(await drop()).toBe(2)
  expect(await tables()).not.toEqual(expect.arrayContaining([old[0]]))
  expect(await tables()).not.toEqual(expect.arrayContaining([old[1]]))
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
  expect(await drop()).toBeGreaterThanOrEqual(2)
  expect(await tables()).toEqual([])
})

test('a drop gives up during a long read of its day while others continue, and is done later', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  const old = today()
  world.clock.advance(32 * DAY_MS)
  const reader = connectDatabase(world.database.connection)
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
  const { promise: isReading, resolve: reads } = Promise.withResolvers<void>()
  const reading = reader.kysely.transaction().execute(async (tx) => {
    await sql`select count(*) from delivery_attempt`.execute(tx)
    reads()
    await isDone
  })
  await isReading
  const meanwhile = async () => {
    await raisePings(world, shop, 3)
    await world.service.processAll()
    expect((await deliveriesOf(world, shop)).at(-1)).toMatchObject({ state: 'delivered' })
  }
  await Promise.all([expect(drop()).rejects.toThrow(/lock timeout/), meanwhile()])
  finish()
  await reading
  await reader.close()
  await drop()
  expect(await tables()).not.toEqual(expect.arrayContaining([old[0]]))
  const { rows } = await sql<{ lockTimeout: string }>`
    select current_setting('lock_timeout') as lock_timeout`.execute(kysely())
  expect(rows).toEqual([{ lockTimeout: '10s' }])
})

test('a node leaves a drop alone that another node is doing', async () => {
  world.clock.advance(32 * DAY_MS)
  const dropped = await Promise.all([drop(), drop(), drop()])
  expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(2)
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
  await makeComingDays(kysely(), world.clock.now())
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
