/** Customers book, and cancel by their link: the rows, events and refusals that result. */
import { describe, expect, test } from 'vitest'
import { bookAppointment } from '../../src/modules/appointments/book-appointment.ts'
import { cancelAppointment } from '../../src/modules/appointments/cancel-appointment.ts'
import { findByToken } from '../../src/modules/appointments/find-by-token.ts'
import { RETENTION } from '../../src/core/limits/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop, booked, customerOf, later, requestOf } from '../support/bookable.ts'
import { openWorld } from '../support/open-world.ts'
import {
  appointmentsOf,
  deleteBookingPage,
  linksOf,
  putBookingPage,
  putServices,
} from '../support/records/appointments.ts'
import { contactOf } from '../support/records/contacts.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const { context } = world.service
const shop = await createShop(world)
const { companyId } = shop
const bookable = await bookableShop(world, companyId)
const { aTime } = bookable
const TOO_MANY = { outcome: 'too_many' }
const NOT_BOOKABLE = { outcome: 'not_bookable' }
const SLOT_TAKEN = { outcome: 'slot_taken' }

const appointmentEvents = async (appointmentId: string) => {
  await world.service.processAll()
  const isOfIt = ({ data }: { data: object }) =>
    (data as { appointment?: { id: string } }).appointment?.id === appointmentId
  return world.receiver.events().filter(isOfIt)
}
type Cancellation = Parameters<typeof cancelAppointment>[1]
const cancel = (appointmentId: string, how: Partial<Cancellation> = {}) =>
  cancelAppointment(context, {
    companyId,
    appointmentId,
    by: 'link',
    reason: null,
    actorId: null,
    ...how,
  })
const isNew = (outcome: Awaited<ReturnType<typeof bookable.book>>) =>
  outcome.outcome === 'booked' && outcome.isNew

test('booking on the page raises contact.created, then appointment.booked, with the contact as typed', async () => {
  const [serviceId, startsAt] = [await bookable.ownService(), aTime()]
  const typed = { name: ' Sara ', phone: '+966 50 123 4567', email: 'sara@x.example' }
  const made = booked(await bookable.book({ serviceId, startsAt, customer: customerOf(typed) }))

  expect(made.reference).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
  const [event] = await appointmentEvents(made.id)
  const types = world.receiver.events().map(({ type }) => type)
  expect(types.slice(-2)).toEqual(['contact.created', 'appointment.booked'])
  expect(event!.data).toEqual({
    appointment: {
      id: made.id,
      reference: made.reference,
      service: 'Haircut',
      startsAt: startsAt.toISOString(),
      endsAt: later(startsAt, 30 * MINUTE_MS).toISOString(),
      status: 'confirmed',
      customerName: 'Sara',
      cancellationReason: null,
    },
    conversation: null,
    contact: { id: made.contactId, name: 'Sara', phone: '+966501234567', whatsAppId: null },
  })
  const localStart = startsAt.toISOString().replace('T07:00', 'T10:00').slice(0, 16)
  const stored = [{ localStart, zone: 'Asia/Riyadh' }]
  expect(await appointmentsOf(world, { serviceId })).toMatchObject(stored)
  const contact = { source: 'booking_page', phone: '+966501234567' }
  expect(await contactOf(world, made.contactId!)).toMatchObject(contact)
})

systemTest(
  'a number without its country is in no event, and a known number finds its contact',
  async () => {
    const serviceId = await bookable.ownService()
    const book = async (given: Parameters<typeof customerOf>[0]) =>
      booked(await bookable.book({ serviceId, startsAt: aTime(), customer: customerOf(given) }))
    const first = await book({ name: 'Omar', phone: '٠٥٠ ٧٦٥ ٤٣٢١' })
    const contact = { name: 'Omar', phone: null }
    expect((await appointmentEvents(first.id))[0]!.data).toMatchObject({ contact })
    const local = { phone: null, rawPhone: '0507654321' }
    expect(await contactOf(world, first.contactId!)).toMatchObject(local)

    const known = await book({ name: 'Laila', phone: '+966551112233' })
    const before = await contactOf(world, known.contactId!)
    const again = await book({ name: 'L.', phone: '00966551112233', email: 'l@x.example' })
    expect(again.contactId).toBe(known.contactId)
    // The contact does not change.
    expect(await contactOf(world, known.contactId!)).toEqual(before)
    expect((await appointmentEvents(again.id))[0]!.data).toMatchObject({
      appointment: { customerName: 'L.' },
      contact: { id: known.contactId, name: 'L.', phone: '+966551112233' },
    })

    const byEmail = { name: 'Mona', phone: '0500000009', email: 'mona@x.example' }
    const one = await book(byEmail)
    const two = await book({ ...byEmail, email: 'Mona@x.example' })
    expect(two.contactId).toBe(one.contactId)
  },
)

describe('One request key makes one appointment', () => {
  test('when sent again, even if another person would be free', async () => {
    const people = [await bookable.resource(), await bookable.resource()]
    const serviceId = await bookable.service(people.map((id) => ({ id })))
    const request = { ...requestOf(companyId), serviceId, startsAt: aTime() }
    const outcomes = [await bookable.book(request), await bookable.book(request)]
    const [one, two] = outcomes.map(booked)
    expect(two!.id).toBe(one!.id)
    expect(outcomes.map(isNew)).toEqual([true, false])
  })

  test('when sent twice concurrently, with one event, and each answer has a link that opens', async () => {
    const [serviceId, startsAt] = [await bookable.ownService(), aTime()]
    const request = { ...requestOf(companyId), serviceId, startsAt }
    const outcomes = await Promise.all([bookable.book(request), bookable.book(request)])
    const [one, two] = outcomes.map(booked)
    expect(two!.id).toBe(one!.id)
    expect(outcomes.filter(isNew)).toHaveLength(1)
    expect(await appointmentEvents(one!.id)).toHaveLength(1)
    const opened = { id: one!.id, canBeCancelled: true }
    expect(await findByToken(context, one!.token)).toMatchObject(opened)
    expect(await findByToken(context, two!.token)).toMatchObject({ id: one!.id })
    for (const forged of ['', 'apt_', `${one!.token}a`, `apt_${'A'.repeat(43)}`, one!.reference]) {
      expect(await findByToken(context, forged)).toBeNull()
    }
  })
})

systemTest('a number or an address has at most three coming appointments', async () => {
  const serviceId = await bookable.ownService()
  const book = (given: Parameters<typeof customerOf>[0]) =>
    bookable.book({ serviceId, startsAt: aTime(), customer: customerOf(given) })
  const number = { name: 'Many', phone: '+966550000002' }
  const made = booked(await book(number))
  for (let nth = 0; nth < 2; nth += 1) booked(await book(number))
  expect(await book(number)).toEqual(TOO_MANY)
  await cancel(made.id)
  booked(await book(number))

  for (let nth = 0; nth < 3; nth += 1) booked(await book({ name: 'Many', email: 'Many@x.example' }))
  const other = { name: 'Many', phone: '+966550000003', email: 'many@X.example' }
  expect(await book(other)).toEqual(TOO_MANY)
})

test('buffers separate neighbouring appointments, and add up', async () => {
  const serviceId = await bookable.ownService({
    beforeMin: 10,
    afterMin: 15,
    minutes: 30,
    stepMin: 5,
  })
  const startsAt = aTime()
  booked(await bookable.book({ serviceId, startsAt }))
  const at = (minutes: number) =>
    bookable.book({ serviceId, startsAt: later(startsAt, minutes * MINUTE_MS) })
  for (const minutes of [50, -50]) expect(await at(minutes)).toEqual(SLOT_TAKEN)
  for (const minutes of [55, -55]) booked(await at(minutes))
})

test('a booking takes the named person, or the one with the fewest appointments that day, then lowest id', async () => {
  const people = [await bookable.resource(), await bookable.resource()].toSorted()
  const room = await bookable.resource('room')
  const barbers = people.map((id) => ({ id, role: 'barber' }))
  const serviceId = await bookable.service([...barbers, { id: room, role: 'chair' }])
  const startsAt = aTime()
  const takes = async (minutes: number, resourceId: string | null = null) => {
    const time = later(startsAt, minutes * MINUTE_MS)
    const made = booked(await bookable.book({ serviceId, startsAt: time, resourceId }))
    expect(made.resources.map(({ id }) => id)).toContain(room)
    return made.resources.find(({ kind }) => kind === 'person')!.id
  }
  expect(await takes(0)).toBe(people[0])
  expect(await takes(30)).toBe(people[1])
  expect(await takes(60, people[0])).toBe(people[0])
  expect(await takes(90)).toBe(people[1])
  const unknown = { resourceId: context.ids.uuid(), startsAt: later(startsAt, 2 * HOUR_MS) }
  expect(await bookable.book({ serviceId, ...unknown })).toEqual(SLOT_TAKEN)
})

test('a service that is off, deleted, foreign or not on the page cannot be booked', async () => {
  const [off, gone] = [await bookable.ownService({ isOn: false }), await bookable.ownService()]
  await putServices(world, { id: gone }, { deletedAt: world.clock.now() })
  const startsAt = aTime()
  for (const serviceId of [off, gone, context.ids.uuid()]) {
    expect(await bookable.book({ serviceId, startsAt })).toEqual(NOT_BOOKABLE)
  }
  const serviceId = await bookable.ownService()
  const neighbour = await createOwnShop(world)
  const foreign = { serviceId, startsAt, companyId: neighbour.companyId }
  expect(await bookable.book(foreign)).toEqual(NOT_BOOKABLE)
  await putBookingPage(world, shop, { isOn: false })
  expect(await bookable.book({ serviceId, startsAt })).toEqual(NOT_BOOKABLE)
  const ofFlow = { source: 'flow', customer: customerOf({ name: 'Sara' }) } as const
  booked(await bookable.book({ serviceId, startsAt, ...ofFlow }))
  await putBookingPage(world, shop, { isOn: true })
})

systemTest(
  'the link cancels once, until two hours before the start, and the time is free again',
  async () => {
    const [serviceId, startsAt] = [await bookable.ownService(), aTime()]
    const made = booked(await bookable.book({ serviceId, startsAt }))
    expect(await cancel(made.id)).toBe('cancelled')
    expect(await cancel(made.id)).toBe('cancelled')
    const events = await appointmentEvents(made.id)
    expect(events.map(({ type }) => type)).toEqual(['appointment.booked', 'appointment.cancelled'])
    expect(events[1]!.data).toMatchObject({
      appointment: { status: 'cancelled', cancellationReason: null },
      contact: { id: made.contactId, whatsAppId: null },
    })
    const rebooked = booked(await bookable.book({ serviceId, startsAt }))
    expect(await cancel(made.id)).toBe('cancelled')
    const cancelled = { status: 'cancelled', canBeCancelled: false }
    expect(await findByToken(context, made.token)).toMatchObject(cancelled)
    const confirmed = { status: 'confirmed', cancelUntil: later(startsAt, -2 * HOUR_MS) }
    expect(await findByToken(context, rebooked.token)).toMatchObject(confirmed)

    const soon = booked(await bookable.book({ serviceId, startsAt: later(startsAt, HOUR_MS) }))
    world.clock.moveTo(later(startsAt, -HOUR_MS).toISOString())
    expect(await cancel(soon.id)).toBe('cancelled')
    world.clock.moveTo(later(startsAt, -2 * HOUR_MS + 1).toISOString())
    expect(await cancel(rebooked.id)).toBe('too_late')
    const inTalk = { reason: 'No time' }
    world.clock.moveTo(startsAt.toISOString())
    expect(await cancel(rebooked.id, { ...inTalk, by: 'flow' })).toBe('too_late')
    expect(await cancel(rebooked.id, { ...inTalk, by: 'member' })).toBe('cancelled')
    const reason = { appointment: { cancellationReason: 'No time' } }
    expect((await appointmentEvents(rebooked.id)).at(-1)!.data).toMatchObject(reason)
    const foreign = { companyId: shop.accountId, by: 'member' } as const
    expect(await cancel(rebooked.id, foreign)).toBe('not_found')
  },
)

test("a company without settings has an hour's notice, 60 days ahead and cancelling until two hours before", async () => {
  const untold = await createOwnShop(world)
  const there = await bookableShop(world, untold.companyId)
  await deleteBookingPage(world, untold)
  const resource = await there.resource('person', { fromMin: 0, toMin: 24 * 60 })
  const serviceId = await there.service([{ id: resource }])
  // The times are half hours of UTC, the zone of a company that has set none.
  const half = 30 * MINUTE_MS
  const next = new Date(Math.ceil(world.clock.now().getTime() / half) * half)
  world.clock.moveTo(next.toISOString())
  const book = (ms: number) => {
    const customer = customerOf({ name: 'Sara', phone: '+966559990001' })
    return there.book({ serviceId, startsAt: later(next, ms), customer, source: 'flow' })
  }
  expect(await book(half)).toEqual(SLOT_TAKEN)
  const made = booked(await book(HOUR_MS))
  expect(await book(61 * DAY_MS)).toEqual(SLOT_TAKEN)
  booked(await book(60 * DAY_MS))
  const soon = { canBeCancelled: false, cancelUntil: later(next, -HOUR_MS) }
  expect(await findByToken(context, made.token)).toMatchObject(soon)
  const ofThem = { companyId: untold.companyId }
  expect(await cancel(made.id, ofThem)).toBe('too_late')
  const late = booked(await book(2 * HOUR_MS))
  expect(await cancel(late.id, ofThem)).toBe('cancelled')
})

test('concurrent cancellations of one appointment raise one event', async () => {
  const [serviceId, startsAt] = [await bookable.ownService(), aTime()]
  const made = booked(await bookable.book({ serviceId, startsAt }))
  const all = (['link', 'member', 'assistant'] as const).map((by) =>
    cancel(made.id, { by, reason: by }),
  )
  expect(await Promise.all(all)).toEqual(all.map(() => 'cancelled'))
  const cancelled = (await appointmentEvents(made.id)).filter(
    ({ type }) => type === 'appointment.cancelled',
  )
  expect(cancelled).toHaveLength(1)
})

systemTest('the links of an appointment work until 90 days after its end', async () => {
  const [serviceId, startsAt] = [await bookable.ownService(), aTime()]
  const request = { ...requestOf(companyId), serviceId, startsAt }
  const first = booked(await bookAppointment(context, request))
  const again = booked(await bookAppointment(context, request))
  const far = booked(await bookable.book({ serviceId, startsAt: later(startsAt, 28 * DAY_MS) }))
  expect(await linksOf(world, first.id)).toHaveLength(2)
  world.clock.moveTo(later(first.endsAt, RETENTION.appointmentLinkMs - MINUTE_MS).toISOString())
  await world.service.sweep()
  expect(await findByToken(context, again.token)).toMatchObject({ id: first.id })
  world.clock.advance(HOUR_MS + MINUTE_MS)
  await world.service.sweep()
  expect(await linksOf(world, first.id)).toEqual([])
  expect(await findByToken(context, again.token)).toBeNull()
  expect(await findByToken(context, far.token)).toMatchObject({ id: far.id })
})
