/**
 * Customers who book are recognised by number, address or contact, and have a limited number of coming appointments.
 */
import { expect, test } from 'vitest'
import type { ArrangedAppointment } from '../../src/contract/dashboard/appointment.ts'
import { bookAppointments } from '../../src/modules/appointments/book-appointment.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { APPOINTMENT_LIMITS } from '../../src/core/limits/appointments.ts'
import { bookableShop, booked, customerOf, requestOf } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createShop(world)
const mine = await bookableShop(world, shop.companyId)
const serviceId = await mine.ownService()
const { companyId: theirCompany } = await createOwnShop(world)
const theirs = await bookableShop(world, theirCompany)
const theirServiceId = await theirs.ownService()
const { aTime } = mine

/** Makes an appointment for a customer as a member. */
const addFor = async (key: string, input: object) => {
  // The clock may have moved by days, which ends older sessions.
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const json = { key: `a-key-for-${key}`, serviceId, startsAt: aTime(), ...input }
  const path = `/companies/${shop.companyId}/appointments`
  const { status, body } = await agent.ask<ArrangedAppointment>('POST', path, json)
  expect(status).toBe(201)
  return body.contact!.id
}
type Customer = Parameters<typeof customerOf>[0]
const book = (given: Customer, more: { source?: 'flow'; startsAt?: Date } = {}) =>
  mine.book({ serviceId, startsAt: aTime(), customer: customerOf(given), ...more })
const bookThere = (given: Customer) =>
  theirs.book({ serviceId: theirServiceId, startsAt: aTime(), customer: customerOf(given) })
const max = APPOINTMENT_LIMITS.comingOfCustomer
const times = Array.from({ length: max }, (_, nth) => nth)

test('Appointments by members, past ones and those of other companies do not count against a customer', async () => {
  const sara = { name: 'Sara', phone: '+966551000001', email: 'sara@x.example' }
  for (const nth of times) {
    await addFor(`sara-${nth}`, sara)
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

test('A contact has as many coming appointments as a number, when they are booked in a conversation', async () => {
  const { contactId } = booked(await book({ name: 'Huda', email: 'huda@x.example' }))
  for (const _ of times.slice(1)) booked(await book({ contactId }, { source: 'flow' }))
  expect(await book({ contactId }, { source: 'flow' })).toEqual({ outcome: 'too_many' })
})

test('A customer who books concurrently stays within the limit', async () => {
  const services = await Promise.all(Array.from({ length: 2 * max }, () => mine.ownService()))
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
  expect(outcomes.filter(({ outcome }) => outcome === 'booked')).toHaveLength(max)
})

test('Customers who book concurrently with one new address are one contact, in any spelling', async () => {
  for (const name of ['nora', 'hind', 'amal']) {
    const emails = [`${name}@x.example`, `${name.toUpperCase()}@x.example`]
    const outcomes = await Promise.all(emails.map((email) => book({ name, email })))
    const [one, other] = outcomes.map((outcome) => booked(outcome).contactId)
    expect(one).not.toBeNull()
    expect(other).toBe(one)
  }
})

systemTest('Customers are one contact whether they book or a member books for them', async () => {
  for (const name of ['mona', 'reem', 'dana']) {
    const emails = [`${name}@y.example`, `${name.toUpperCase()}@y.example`]
    const [one, other, own] = await Promise.all([
      ...emails.map((email) => addFor(email, { name: 'Mona', email })),
      book({ name, email: emails[0]! }).then((outcome) => booked(outcome).contactId),
    ])
    expect([other, own]).toEqual([one, one])
  }
})

test('A customer stays within the limit when many bookings share one transaction', async () => {
  const { db, ids, clock } = world.service.context
  const customer = customerOf({ name: 'Rana', phone: '+966551000009' })
  const requests = Array.from({ length: max + 1 }, () => ({
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

test('A full number makes a new contact, and a local one belongs to the only contact of its e-mail address', async () => {
  const email = 'family@x.example'
  const local = { name: 'Mona', phone: '0551000002', email }
  const there = booked(await bookThere({ name: 'Mona', phone: '+966551000002', email }))
  const older = booked(await book({ name: 'Mona', phone: '+966551000002', email }))
  const newer = booked(await book({ name: 'Laila', phone: '+966551000003', email }))
  expect(newer.contactId).not.toBe(older.contactId)
  expect([older.contactId, newer.contactId]).not.toContain(booked(await book(local)).contactId)
  expect(booked(await bookThere(local)).contactId).toBe(there.contactId)
})
