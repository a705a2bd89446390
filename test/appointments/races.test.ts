/** Concurrent requests for the same time: the database's locks and constraint decide. */
import { expect, test } from 'vitest'
import { cancelAppointment } from '../../src/modules/appointments/cancel-appointment.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop, booked, later } from '../support/bookable.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { countDeadlocks } from '../support/records/locks.ts'
import { systemDescribe } from '../support/system-tests.ts'

const world = await openWorld({ databasePool: '8' })
const { shop, owner } = await ownedShop(world)
const bookable = await bookableShop(world, shop.companyId)
const { aTime } = bookable
const { companyId } = shop

const wordsOf = (outcomes: { outcome: string }[]) => outcomes.map(({ outcome }) => outcome)
const confirmedOf = async (serviceId: string) =>
  (await appointmentsOf(world, { serviceId })).filter(({ status }) => status === 'confirmed')
const times = <Made>(count: number, make: (nth: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => make(nth)))

test('40 concurrent bookings of one slot: one succeeds, and 39 are refused because it is taken', async () => {
  const serviceId = await bookable.ownService()
  const startsAt = aTime()
  const words = wordsOf(await times(40, () => bookable.book({ serviceId, startsAt })))
  expect(words.toSorted()).toEqual(['booked', ...Array.from({ length: 39 }, () => 'slot_taken')])
  expect(await contactsOf(world, shop)).toHaveLength(1)
})

test('two concurrent bookings of any person take two different people', async () => {
  const people = [await bookable.resource(), await bookable.resource()]
  const serviceId = await bookable.service(people.map((id) => ({ id })))
  const startsAt = aTime()
  const both = await times(2, () => bookable.book({ serviceId, startsAt }))
  const had = both.flatMap((outcome) => booked(outcome).resources.map(({ id }) => id))
  expect(had.toSorted()).toEqual(people.toSorted())
})

systemDescribe('Concurrent bookings', () => {
  test('with two resources each, 160 in any order: no deadlock, no double booking', async () => {
    const services = await bookable.everyPair(4)
    const startsAt = aTime()
    const deadlocksBefore = await countDeadlocks(world)
    const outcomes = await times(160, (place) =>
      bookable.book({
        serviceId: services[(place * 7) % services.length]!,
        startsAt: later(startsAt, (place % 5) * 30 * MINUTE_MS),
      }),
    )
    // Four people at five times: which of the requests come first decides how many fit, 5 to 20.
    const made = outcomes.filter(({ outcome }) => outcome === 'booked')
    expect(made.length).toBeGreaterThanOrEqual(5)
    expect(made.length).toBeLessThanOrEqual(20)
    expect(new Set(wordsOf(outcomes))).toEqual(new Set(['booked', 'slot_taken']))
    const had = made.flatMap((outcome) => {
      const { startsAt: at, resources } = booked(outcome)
      return resources.map(({ id }) => `${id} at ${at.toISOString()}`)
    })
    expect(new Set(had).size).toBe(2 * made.length)
    expect((await countDeadlocks(world)) - deadlocksBefore).toBe(0)
  })

  test('against cancelling, repeatedly: the slot never belongs to two customers', async () => {
    const serviceId = await bookable.ownService()
    const startsAt = aTime()
    let have = booked(await bookable.book({ serviceId, startsAt }))
    for (let round = 0; round < 5; round += 1) {
      const by = { companyId, by: 'member', reason: null, actorId: null } as const
      const [, outcomes] = await Promise.all([
        cancelAppointment(world.service.context, { ...by, appointmentId: have.id }),
        times(4, () => bookable.book({ serviceId, startsAt })),
      ])
      const made = outcomes.filter(({ outcome }) => outcome === 'booked')
      expect(made.length).toBeLessThanOrEqual(1)
      have = booked(made[0] ?? (await bookable.book({ serviceId, startsAt })))
    }
    expect(await confirmedOf(serviceId)).toHaveLength(1)
  })

  test('against moving: either the move or the booking gets the slot, and the old one is free', async () => {
    const serviceId = await bookable.ownService()
    for (let round = 0; round < 5; round += 1) {
      const [from, to] = [aTime(), aTime()]
      const made = booked(await bookable.book({ serviceId, startsAt: from }))
      const at = `/companies/${companyId}/appointments/${made.id}/move`
      const [moved, outcomes] = await Promise.all([
        owner.ask('POST', at, { startsAt: to }),
        times(4, () => bookable.book({ serviceId, startsAt: to })),
      ])
      const others = outcomes.filter(({ outcome }) => outcome === 'booked')
      expect(others.length + (moved.status === 200 ? 1 : 0)).toBe(1)
      const free = await bookable.book({ serviceId, startsAt: from })
      expect(free.outcome).toBe(moved.status === 200 ? 'booked' : 'slot_taken')
    }
  })

  test('against closing the day or deleting the service: nothing is booked afterwards', async () => {
    const at = `/companies/${companyId}`
    for (let round = 0; round < 5; round += 1) {
      const resourceId = await bookable.resource()
      const serviceId = await bookable.service([{ id: resourceId }])
      const startsAt = aTime()
      const closed = startsAt.toISOString().slice(0, 10)
      const change = { resourceId, firstDay: closed, lastDay: closed, hours: null }
      const bookAfter = (minutes: number) =>
        bookable.book({ serviceId, startsAt: later(startsAt, minutes * MINUTE_MS) })
      const [closing] = await Promise.all([
        owner.ask('POST', `${at}/opening-changes`, change),
        times(4, (nth) => bookAfter(nth * 30)),
      ])
      expect(closing.status).toBe(201)
      expect(await bookAfter(180)).toEqual({ outcome: 'slot_taken' })

      const going = await bookable.service([{ id: resourceId }])
      const next = aTime()
      const [deleted, outcomes] = await Promise.all([
        owner.ask('DELETE', `${at}/services/${going}`),
        times(4, () => bookable.book({ serviceId: going, startsAt: next })),
      ])
      const words = wordsOf(outcomes)
      // Either the booking came first and stays, or the service was gone for all of them.
      if (deleted.status === 204) expect(new Set(words)).toEqual(new Set(['not_bookable']))
      else
        expect([deleted.status, words.filter((word) => word === 'booked')]).toEqual([
          409,
          ['booked'],
        ])
    }
  })
})

test('the database refuses to book a person twice at one time, and frees a cancelled time', async () => {
  // The busy times are in a table that only the service's own statements reach.
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
