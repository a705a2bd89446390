/** Many want the same, at once: the database's own locks and constraint decide. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelAppointment } from '../../src/appointments/cancel-appointment.ts'
import { DAY_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { bookableShop, booked, type BookableShop } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let bookable: BookableShop
let day = 0
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
  shop = await createShop(world)
  bookable = await bookableShop(world, shop.companyId)
})
afterAll(() => world.close())

/** 10:00 in Riyadh on a day that no other test uses. */
const aTime = () => {
  day += 1
  return new Date(Date.parse('2026-11-22T07:00:00Z') + day * DAY_MS)
}

test('40 bookings of one slot at once: one is booked, and 39 are told that it is taken', async () => {
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const startsAt = aTime()
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, () => bookable.book({ serviceId, startsAt })),
  )
  const words = outcomes.map(({ outcome }) => outcome)
  expect(words.filter((word) => word === 'booked')).toHaveLength(1)
  expect(words.filter((word) => word === 'slot_taken')).toHaveLength(39)
  const [contacts] = await count('contact', 'true')
  expect(contacts).toBe(1)
})

test('two free people, anyone, two at once: two people', async () => {
  const people = [await bookable.resource(), await bookable.resource()]
  const serviceId = await bookable.service(people.map((id) => ({ id })))
  const startsAt = aTime()
  const both = await Promise.all([1, 2].map(() => bookable.book({ serviceId, startsAt })))
  expect(
    both.flatMap((outcome) => booked(outcome).resources.map(({ id }) => id)).toSorted(),
  ).toEqual(people.toSorted())
})

systemTest(
  '160 bookings of two resources each, in any order, at once: no deadlock, none doubled',
  async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => bookable.resource()))
    const rooms = await Promise.all(Array.from({ length: 4 }, () => bookable.resource('room')))
    const services: string[] = []
    for (const person of people) {
      for (const room of rooms) {
        services.push(
          await bookable.service([
            { id: person, role: 'doctor' },
            { id: room, role: 'room' },
          ]),
        )
      }
    }
    const startsAt = aTime()
    const deadlocksBefore = await deadlocks()
    const outcomes = await Promise.all(
      Array.from({ length: 160 }, async (_, place) => {
        const at = new Date(startsAt.getTime() + (place % 5) * 30 * MINUTE_MS)
        const serviceId = services[(place * 7) % services.length]!
        return bookable.book({ serviceId, startsAt: at })
      }),
    )
    // Four people at five times: which of the requests come first decides how many fit, 5 to 20.
    const made = outcomes.filter(({ outcome }) => outcome === 'booked')
    expect(made.length).toBeGreaterThanOrEqual(5)
    expect(made.length).toBeLessThanOrEqual(20)
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(
      new Set(['booked', 'slot_taken']),
    )
    const [doubled] = await count(
      'appointment_busy a join appointment_busy b using (resource_id)',
      'a.appointment_id < b.appointment_id and a.busy && b.busy and not a.is_free and not b.is_free',
    )
    expect(doubled).toBe(0)
    expect((await deadlocks()) - deadlocksBefore).toBe(0)
  },
)

systemTest('booking against cancelling, over and over: the slot is never had by two', async () => {
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const startsAt = aTime()
  let have = booked(await bookable.book({ serviceId, startsAt }))
  for (let round = 0; round < 5; round += 1) {
    const [, ...outcomes] = await Promise.all([
      cancelAppointment(world.service.context, {
        companyId: shop.companyId,
        appointmentId: have.id,
        by: 'member',
        reason: null,
        actorId: null,
      }),
      ...Array.from({ length: 4 }, () => bookable.book({ serviceId, startsAt })),
    ])
    const made = outcomes.filter(({ outcome }) => outcome === 'booked')
    expect(made.length).toBeLessThanOrEqual(1)
    have = booked(made[0] ?? (await bookable.book({ serviceId, startsAt })))
  }
  const [confirmed] = await count(
    'appointment',
    `service_id = '${serviceId}' and status = 'confirmed'`,
  )
  expect(confirmed).toBe(1)
})

async function count(from: string, where: string): Promise<number[]> {
  const { rows } = await world.database.db.pool.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
  )
  return rows.map((row) => row.count)
}

async function deadlocks(): Promise<number> {
  const { rows } = await world.database.db.pool.query<{ deadlocks: string }>(
    'select pg_stat_force_next_flush(), deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]!.deadlocks)
}

systemTest(
  'booking against moving: who moves there and who books, one of them has it, and what was left is free',
  async () => {
    const serviceId = await bookable.service([{ id: await bookable.resource() }])
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    for (let round = 0; round < 5; round += 1) {
      const [from, to] = [aTime(), aTime()]
      const made = booked(await bookable.book({ serviceId, startsAt: from }))
      const at = `/companies/${shop.companyId}/appointments/${made.id}/move`
      const [moved, ...outcomes] = await Promise.all([
        agent.ask('POST', at, { startsAt: to }),
        ...Array.from({ length: 4 }, () => bookable.book({ serviceId, startsAt: to })),
      ])
      const made2 = outcomes.filter(({ outcome }) => outcome === 'booked')
      expect(made2.length + (moved.status === 200 ? 1 : 0)).toBe(1)
      const free = await bookable.book({ serviceId, startsAt: from })
      expect(free.outcome).toBe(moved.status === 200 ? 'booked' : 'slot_taken')
    }
  },
)

systemTest(
  'booking against closing the day, and against deleting the service: afterwards nothing is booked',
  async () => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const at = `/companies/${shop.companyId}`
    for (let round = 0; round < 5; round += 1) {
      const resource = await bookable.resource()
      const serviceId = await bookable.service([{ id: resource }])
      const startsAt = aTime()
      const closed = startsAt.toISOString().slice(0, 10)
      const change = { resourceId: resource, firstDay: closed, lastDay: closed, hours: null }
      const half = (minutes: number) => new Date(startsAt.getTime() + minutes * MINUTE_MS)
      const [closing] = await Promise.all([
        owner.ask('POST', `${at}/opening-changes`, change),
        ...Array.from({ length: 4 }, (_, nth) =>
          bookable.book({ serviceId, startsAt: half(nth * 30) }),
        ),
      ])
      expect(closing.status).toBe(201)
      const late = await bookable.book({ serviceId, startsAt: half(180) })
      expect(late).toEqual({ outcome: 'slot_taken' })

      const going = await bookable.service([{ id: resource }])
      const next = aTime()
      const [deleted, ...outcomes] = await Promise.all([
        owner.ask('DELETE', `${at}/services/${going}`),
        ...Array.from({ length: 4 }, () => bookable.book({ serviceId: going, startsAt: next })),
      ])
      const words = outcomes.map(({ outcome }) => outcome)
      // Either it was booked before, and stays, or it was gone for all.
      if (deleted.status === 204) expect(new Set(words)).toEqual(new Set(['not_bookable']))
      else
        expect([deleted.status, words.filter((word) => word === 'booked').length]).toEqual([409, 1])
    }
  },
)

test('the database itself keeps a person from being taken twice at a time, and lets go of what is cancelled', async () => {
  const { pool } = world.database.db
  const chair = await bookable.resource()
  const serviceId = await bookable.service([{ id: chair }])
  const one = booked(await bookable.book({ serviceId, startsAt: aTime() }))
  const other = booked(await bookable.book({ serviceId, startsAt: aTime() }))
  const take = () =>
    pool.query(
      `update appointment_busy set busy = (
        select busy from appointment_busy where appointment_id = $1) where appointment_id = $2`,
      [one.id, other.id],
    )
  await expect(take()).rejects.toMatchObject({ code: '23P01', constraint: 'appointment_busy_once' })
  await pool.query('update appointment_busy set is_free = true where appointment_id = $1', [one.id])
  expect((await take()).rowCount).toBe(1)
})
