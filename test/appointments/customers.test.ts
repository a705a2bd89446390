/** Who books is known again, by number, address or contact, and has so many appointments to come. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ArrangedAppointment } from '../../src/contract/dashboard/appointment.ts'
import { bookAppointments } from '../../src/appointments/book-appointment.ts'
import { transaction } from '../../src/database/transaction.ts'
import { APPOINTMENT_LIMITS } from '../../src/limits/appointments.ts'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import {
  bookableShop,
  booked,
  customerOf,
  requestOf,
  type BookableShop,
} from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let mine: BookableShop
let theirs: BookableShop
let serviceId: string
let theirServiceId: string
let day = 0
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  mine = await bookableShop(world, shop.companyId)
  serviceId = await mine.service([{ id: await mine.resource() }])
  const neighbour = await createShop(world, { phoneNumberId: '206540352242922' })
  theirs = await bookableShop(world, neighbour.companyId)
  theirServiceId = await theirs.service([{ id: await theirs.resource() }])
})
afterAll(() => world.close())

/** 10:00 in Riyadh on a day that no other booking has. */
const aTime = () => {
  day += 1
  const midnight = Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS
  return new Date(midnight + day * DAY_MS + 7 * HOUR_MS)
}
type Customer = Parameters<typeof customerOf>[0]
const book = (given: Customer, more: { source?: 'flow'; startsAt?: Date } = {}) =>
  mine.book({ serviceId, startsAt: aTime(), customer: customerOf(given), ...more })
const bookThere = (given: Customer) =>
  theirs.book({ serviceId: theirServiceId, startsAt: aTime(), customer: customerOf(given) })
const most = APPOINTMENT_LIMITS.comingOfCustomer
const times = Array.from({ length: most }, (_, nth) => nth)

test('What members make does not count against a customer, nor what has begun, nor what another company has', async () => {
  const sara = { name: 'Sara', phone: '+966551000001', email: 'sara@x.example' }
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  for (const nth of times) {
    const made = await agent.ask<ArrangedAppointment>(
      'POST',
      `/companies/${shop.companyId}/appointments`,
      { key: `key-of-a-member-${nth}`, serviceId, startsAt: aTime(), ...sara },
    )
    expect(made.status).toBe(201)
    booked(await bookThere({ name: 'Sara', phone: sara.phone }))
    booked(await bookThere({ name: 'Sara', phone: '0500000001', email: `many${nth}@x.example` }))
  }
  for (const _ of times) booked(await bookThere({ name: 'Sara', email: sara.email }))
  const first = booked(await book(sara))
  for (const _ of times.slice(1)) booked(await book(sara))
  expect(await book(sara)).toEqual({ outcome: 'too_many' })
  world.clock.moveTo(first.startsAt.toISOString())
  expect(await book(sara)).toMatchObject({ outcome: 'booked' })
})

test('Of one contact as many are to come as of one number, where a conversation books them', async () => {
  const { contactId } = booked(await book({ name: 'Huda', email: 'huda@x.example' }))
  for (const _ of times.slice(1)) booked(await book({ contactId }, { source: 'flow' }))
  expect(await book({ contactId }, { source: 'flow' })).toEqual({ outcome: 'too_many' })
})

test('Who books at many hands at once has no more than that either', async () => {
  const services = await Promise.all(
    Array.from({ length: 2 * most }, async () => mine.service([{ id: await mine.resource() }])),
  )
  const startsAt = aTime()
  const outcomes = await Promise.all(
    services.map((service, nth) =>
      mine.book({
        serviceId: service,
        startsAt,
        customer: customerOf({ name: 'Omar', phone: `050000100${nth}`, email: 'omar@x.example' }),
      }),
    ),
  )
  expect(outcomes.filter(({ outcome }) => outcome === 'booked')).toHaveLength(most)
})

test('Those who book at once with one new address are one contact, however they write it', async () => {
  for (const name of ['nora', 'hind', 'amal']) {
    const outcomes = await Promise.all(
      [`${name}@x.example`, `${name.toUpperCase()}@x.example`].map((email) =>
        book({ name, email }),
      ),
    )
    const [one, other] = outcomes.map((outcome) => booked(outcome).contactId)
    expect(one).not.toBeNull()
    expect(other).toBe(one)
  }
})

systemTest('whether they book themselves or a member books for them', async () => {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const addFor = async (email: string) => {
    const { body } = await agent.ask<ArrangedAppointment>(
      'POST',
      `/companies/${shop.companyId}/appointments`,
      { key: `a-key-for-${email}`, serviceId, startsAt: aTime(), name: 'Mona', email },
    )
    return body.contact!.id
  }
  for (const name of ['mona', 'reem', 'dana']) {
    const [one, other, own] = await Promise.all([
      addFor(`${name}@y.example`),
      addFor(`${name.toUpperCase()}@y.example`),
      book({ name, email: `${name}@y.example` }).then((outcome) => booked(outcome).contactId),
    ])
    expect([other, own]).toEqual([one, one])
  }
})

test('nor where several are booked together, as by the turns of many runs', async () => {
  const { db, ids, clock } = world.service.context
  const customer = customerOf({ name: 'Rana', phone: '+966551000009' })
  const requests = Array.from({ length: most + 1 }, () => ({
    ...requestOf(shop.companyId),
    customer,
    serviceId,
    startsAt: aTime(),
  }))
  const outcomes = await transaction(db, (tx) =>
    bookAppointments(tx, { ids, now: clock.now() }, requests),
  )
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([...times.map(() => 'booked'), 'too_many'])
})

test('A number with its country that nobody has is a new contact, whatever the address; without it the newest of the address, in this company', async () => {
  const email = 'family@x.example'
  const local = { name: 'Mona', phone: '0551000002', email }
  const there = booked(await bookThere({ name: 'Mona', phone: '+966551000002', email }))
  const older = booked(await book({ name: 'Mona', phone: '+966551000002', email }))
  const newer = booked(await book({ name: 'Laila', phone: '+966551000003', email }))
  expect(newer.contactId).not.toBe(older.contactId)
  expect(booked(await book(local)).contactId).toBe(newer.contactId)
  expect(booked(await bookThere(local)).contactId).toBe(there.contactId)
})
