/** Customers book, and cancel by their link: what is written, told and refused. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelAppointment } from '../../src/appointments/cancel-appointment.ts'
import { findByToken } from '../../src/appointments/find-by-token.ts'
import { bookAppointment } from '../../src/appointments/book-appointment.ts'
import { RETENTION } from '../../src/limits/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import {
  bookableShop,
  booked,
  customerOf,
  requestOf,
  type BookableShop,
} from '../support/bookable.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let bookable: BookableShop
let day = 0
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  bookable = await bookableShop(world, shop.companyId)
})
afterAll(() => world.close())

/** 10:00 in Riyadh on a day that no other test uses. */
const aTime = () => {
  day += 1
  return new Date(Date.parse('2026-11-22T07:00:00Z') + day * DAY_MS)
}
const later = (time: Date, ms: number) => new Date(time.getTime() + ms)
const aHaircut = async () => bookable.service([{ id: await bookable.resource() }])
const told = async (appointmentId: string) => {
  await world.service.processAll()
  return world.receiver.received
    .map(({ event }) => event)
    .filter(
      ({ data }) => (data as { appointment?: { id: string } }).appointment?.id === appointmentId,
    )
}
const cancelByLink = (appointmentId: string) =>
  cancelAppointment(world.service.context, {
    companyId: shop.companyId,
    appointmentId,
    by: 'link',
    reason: null,
    actorId: null,
  })

test('booked on the page: contact.created, then appointment.booked, with name and number as they were typed', async () => {
  const [serviceId, startsAt] = [await aHaircut(), aTime()]
  const customer = customerOf({
    name: ' Sara ',
    phone: '+966 50 123 4567',
    email: 'sara@x.example',
  })
  const made = booked(await bookable.book({ serviceId, startsAt, customer }))

  expect(made.reference).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
  await world.service.processAll()
  const types = world.receiver.received.map(({ event }) => event.type)
  expect(types.slice(-2)).toEqual(['contact.created', 'appointment.booked'])
  const [event] = await told(made.id)
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
  const row = await world.database.db.kysely
    .selectFrom('appointment')
    .innerJoin('contact', 'contact.id', 'appointment.contactId')
    .select(['localStart', 'appointment.zone', 'contact.source', 'contact.phone'])
    .where('appointment.id', '=', made.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({
    localStart: startsAt.toISOString().replace('T07:00', 'T10:00').slice(0, 16),
    zone: 'Asia/Riyadh',
    source: 'booking_page',
    phone: '+966501234567',
  })
})

systemTest(
  'a number without its country is null in events; a known one attaches the contact, of which nothing changes',
  async () => {
    const serviceId = await aHaircut()
    const local = customerOf({ name: 'Omar', phone: '٠٥٠ ٧٦٥ ٤٣٢١' })
    const first = booked(await bookable.book({ serviceId, startsAt: aTime(), customer: local }))
    expect((await told(first.id))[0]!.data).toMatchObject({
      contact: { name: 'Omar', phone: null },
    })
    const { kysely } = world.database.db
    const contactOf = (id: string) =>
      kysely.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(await contactOf(first.contactId!)).toMatchObject({ phone: null, rawPhone: '0507654321' })

    const abroad = customerOf({ name: 'Laila', phone: '+966551112233' })
    const known = booked(await bookable.book({ serviceId, startsAt: aTime(), customer: abroad }))
    const before = await contactOf(known.contactId!)
    const asAnother = customerOf({ name: 'L.', phone: '00966551112233', email: 'l@x.example' })
    const again = booked(await bookable.book({ serviceId, startsAt: aTime(), customer: asAnother }))
    expect(again.contactId).toBe(known.contactId)
    expect(await contactOf(known.contactId!)).toEqual(before)
    expect((await told(again.id))[0]!.data).toMatchObject({
      appointment: { customerName: 'L.' },
      contact: { id: known.contactId, name: 'L.', phone: '+966551112233' },
    })

    const byEmail = customerOf({ name: 'Mona', phone: '0500000009', email: 'mona@x.example' })
    const one = booked(await bookable.book({ serviceId, startsAt: aTime(), customer: byEmail }))
    const two = booked(
      await bookable.book({
        serviceId,
        startsAt: aTime(),
        customer: { ...byEmail, email: 'Mona@x.example' },
      }),
    )
    expect(two.contactId).toBe(one.contactId)
  },
)

test('one request key is one appointment also where somebody else would be free for another', async () => {
  const people = [await bookable.resource(), await bookable.resource()]
  const serviceId = await bookable.service(people.map((id) => ({ id })))
  const startsAt = aTime()
  const customer = customerOf({ name: 'Sara', phone: '+966550000077' })
  const request = { serviceId, startsAt, customer, requestKey: 'pressed-twice-0077' }
  const outcomes = [await bookable.book(request), await bookable.book(request)]
  const [one, two] = outcomes.map(booked)
  expect(two!.id).toBe(one!.id)
  expect(outcomes.map((outcome) => outcome.outcome === 'booked' && outcome.isNew)).toEqual([
    true,
    false,
  ])
})

test('one request key, also twice at once, is one appointment and one event; each answer has a link that opens', async () => {
  const [serviceId, startsAt] = [await aHaircut(), aTime()]
  const request = {
    serviceId,
    startsAt,
    requestKey: 'pressed-twice-0001',
    customer: customerOf({ name: 'Sara', phone: '+966550000001' }),
  }
  const outcomes = await Promise.all([bookable.book(request), bookable.book(request)])
  const [one, two] = outcomes.map(booked)
  expect(two!.id).toBe(one!.id)
  expect(outcomes.filter((outcome) => outcome.outcome === 'booked' && outcome.isNew)).toHaveLength(
    1,
  )
  expect(await told(one!.id)).toHaveLength(1)
  const { context } = world.service
  expect(await findByToken(context, one!.token)).toMatchObject({
    id: one!.id,
    canBeCancelled: true,
  })
  expect(await findByToken(context, two!.token)).toMatchObject({ id: one!.id })
  for (const forged of ['', 'apt_', `${one!.token}a`, `apt_${'A'.repeat(43)}`, one!.reference]) {
    expect(await findByToken(context, forged)).toBeNull()
  }
})

systemTest(
  'at most three coming appointments of one number or e-mail address; what is cancelled makes room',
  async () => {
    const serviceId = await aHaircut()
    const customer = customerOf({ name: 'Many', phone: '+966550000002' })
    const times = [aTime(), aTime(), aTime(), aTime()]
    const made = []
    for (const startsAt of times.slice(0, 3)) {
      made.push(booked(await bookable.book({ serviceId, startsAt, customer })))
    }
    const fourth = { serviceId, startsAt: times[3]!, customer }
    expect(await bookable.book(fourth)).toEqual({ outcome: 'too_many' })
    await cancelByLink(made[0]!.id)
    expect((await bookable.book(fourth)).outcome).toBe('booked')

    const email = customerOf({ name: 'Many', email: 'Many@x.example' })
    for (const startsAt of [aTime(), aTime(), aTime()]) {
      expect((await bookable.book({ serviceId, startsAt, customer: email })).outcome).toBe('booked')
    }
    const other = { ...email, phone: '+966550000003', email: 'many@X.example' }
    expect(await bookable.book({ serviceId, startsAt: aTime(), customer: other })).toEqual({
      outcome: 'too_many',
    })
  },
)

test('buffers stand between neighbours, and add up', async () => {
  const serviceId = await bookable.service([{ id: await bookable.resource() }], {
    beforeMin: 10,
    afterMin: 15,
    minutes: 30,
    stepMin: 5,
  })
  const startsAt = aTime()
  booked(await bookable.book({ serviceId, startsAt }))
  const at = (minutes: number) =>
    bookable.book({ serviceId, startsAt: later(startsAt, minutes * MINUTE_MS) })
  expect(await at(50)).toEqual({ outcome: 'slot_taken' })
  expect((await at(55)).outcome).toBe('booked')
  expect(await at(-50)).toEqual({ outcome: 'slot_taken' })
  expect((await at(-55)).outcome).toBe('booked')
})

test('anyone is who has the fewest appointments that day, then the lowest id; somebody can be asked for', async () => {
  const people = [await bookable.resource(), await bookable.resource()].toSorted()
  const room = await bookable.resource('room')
  const serviceId = await bookable.service([
    ...people.map((id) => ({ id, role: 'barber' })),
    { id: room, role: 'chair' },
  ])
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
  const wanted = { serviceId, startsAt: later(startsAt, 2 * HOUR_MS) }
  expect(await bookable.book({ ...wanted, resourceId: world.service.context.ids.uuid() })).toEqual({
    outcome: 'slot_taken',
  })
})

test('what is off, deleted, of another company or not on the page is not bookable', async () => {
  const { kysely } = world.database.db
  const resource = await bookable.resource()
  const off = await bookable.service([{ id: resource }], { isOn: false })
  const gone = await bookable.service([{ id: resource }])
  await kysely
    .updateTable('service')
    .set({ deletedAt: world.clock.now() })
    .where('id', '=', gone)
    .execute()
  const startsAt = aTime()
  for (const serviceId of [off, gone, world.service.context.ids.uuid()]) {
    expect(await bookable.book({ serviceId, startsAt })).toEqual({ outcome: 'not_bookable' })
  }
  const serviceId = await aHaircut()
  const neighbour = await createShop(world, { phoneNumberId: '206540352242922' })
  const foreign = await bookable.book({ serviceId, startsAt, companyId: neighbour.companyId })
  expect(foreign).toEqual({ outcome: 'not_bookable' })
  await kysely.updateTable('bookingPage').set({ isOn: false }).execute()
  expect(await bookable.book({ serviceId, startsAt })).toEqual({ outcome: 'not_bookable' })
  const ofFlow = { source: 'flow', customer: customerOf({ name: 'Sara' }) } as const
  expect((await bookable.book({ serviceId, startsAt, ...ofFlow })).outcome).toBe('booked')
  await kysely.updateTable('bookingPage').set({ isOn: true }).execute()
})

systemTest(
  'the link cancels until two hours before the start, once; what was taken can be booked again',
  async () => {
    const [serviceId, startsAt] = [await aHaircut(), aTime()]
    const made = booked(await bookable.book({ serviceId, startsAt }))
    expect(await cancelByLink(made.id)).toBe('cancelled')
    expect(await cancelByLink(made.id)).toBe('cancelled')
    const events = await told(made.id)
    expect(events.map(({ type }) => type)).toEqual(['appointment.booked', 'appointment.cancelled'])
    expect(events[1]!.data).toMatchObject({
      appointment: { status: 'cancelled', cancellationReason: null },
      contact: { id: made.contactId, whatsAppId: null },
    })
    const rebooked = booked(await bookable.book({ serviceId, startsAt }))
    expect(await cancelByLink(made.id)).toBe('cancelled')
    expect(await findByToken(world.service.context, made.token)).toMatchObject({
      status: 'cancelled',
      canBeCancelled: false,
    })
    expect(await findByToken(world.service.context, rebooked.token)).toMatchObject({
      status: 'confirmed',
      cancelUntil: later(startsAt, -2 * HOUR_MS),
    })

    const soon = booked(await bookable.book({ serviceId, startsAt: later(startsAt, HOUR_MS) }))
    world.clock.moveTo(later(startsAt, -HOUR_MS).toISOString())
    expect(await cancelByLink(soon.id)).toBe('cancelled')
    world.clock.moveTo(later(startsAt, -2 * HOUR_MS + 1).toISOString())
    expect(await cancelByLink(rebooked.id)).toBe('too_late')
    const inTalk = {
      companyId: shop.companyId,
      appointmentId: rebooked.id,
      reason: 'No time',
      actorId: null,
    }
    const { context } = world.service
    world.clock.moveTo(startsAt.toISOString())
    expect(await cancelAppointment(context, { ...inTalk, by: 'flow' })).toBe('too_late')
    expect(await cancelAppointment(context, { ...inTalk, by: 'member' })).toBe('cancelled')
    expect((await told(rebooked.id)).at(-1)!.data).toMatchObject({
      appointment: { cancellationReason: 'No time' },
    })
    const foreign = { ...inTalk, companyId: shop.accountId, by: 'member' as const }
    expect(await cancelAppointment(context, foreign)).toBe('not_found')
  },
)

test('until they are told, the notice is an hour, 60 days can be booked, and a link cancels until two hours before', async () => {
  const untold = await createShop(world, { phoneNumberId: '306540352242922' })
  const { kysely } = world.database.db
  const there = await bookableShop(world, untold.companyId)
  await kysely.deleteFrom('bookingPage').where('companyId', '=', untold.companyId).execute()
  const resource = await there.resource('person', { fromMin: 0, toMin: 24 * 60 })
  const serviceId = await there.service([{ id: resource }])
  // Half hours of UTC, the zone of a company that has told none.
  const half = 30 * MINUTE_MS
  const next = new Date(Math.ceil(world.clock.now().getTime() / half) * half)
  world.clock.moveTo(next.toISOString())
  const book = (startsAt: Date) => {
    const customer = customerOf({ name: 'Sara', phone: '+966559990001' })
    return there.book({ serviceId, startsAt, customer, source: 'flow' })
  }
  expect(await book(later(next, half))).toEqual({ outcome: 'slot_taken' })
  const made = booked(await book(later(next, HOUR_MS)))
  expect(await book(later(next, 61 * DAY_MS))).toEqual({ outcome: 'slot_taken' })
  booked(await book(later(next, 60 * DAY_MS)))
  const soon = await findByToken(world.service.context, made.token)
  expect(soon).toMatchObject({ canBeCancelled: false, cancelUntil: later(next, -HOUR_MS) })
  const { companyId } = untold
  const by = { companyId, by: 'link', reason: null, actorId: null } as const
  const cancel = (appointmentId: string) =>
    cancelAppointment(world.service.context, { ...by, appointmentId })
  expect(await cancel(made.id)).toBe('too_late')
  const late = booked(await book(later(next, 2 * HOUR_MS)))
  expect(await cancel(late.id)).toBe('cancelled')
})

test('many cancel one at once: one event', async () => {
  const [serviceId, startsAt] = [await aHaircut(), aTime()]
  const made = booked(await bookable.book({ serviceId, startsAt }))
  const { context } = world.service
  const by = (who: 'link' | 'member' | 'assistant') =>
    cancelAppointment(context, {
      companyId: shop.companyId,
      appointmentId: made.id,
      by: who,
      reason: who,
      actorId: null,
    })
  expect(await Promise.all([by('link'), by('member'), by('assistant')])).toEqual(
    Array.from({ length: 3 }, () => 'cancelled'),
  )
  const cancelled = (await told(made.id)).filter(({ type }) => type === 'appointment.cancelled')
  expect(cancelled).toHaveLength(1)
})

systemTest(
  'its links are good until 90 days after its end, however old they are by then, and then gone',
  async () => {
    const [serviceId, startsAt] = [await aHaircut(), aTime()]
    const request = { ...requestOf(shop.companyId), serviceId, startsAt }
    const first = booked(await bookAppointment(world.service.context, request))
    const again = booked(await bookAppointment(world.service.context, request))
    const links = async () => {
      const { count } = await world.database.db.kysely
        .selectFrom('appointmentLink')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('appointmentId', '=', first.id)
        .executeTakeFirstOrThrow()
      return count
    }
    const far = booked(
      await bookAppointment(world.service.context, {
        ...requestOf(shop.companyId),
        serviceId,
        startsAt: later(startsAt, 28 * DAY_MS),
      }),
    )
    expect(await links()).toBe(2)
    world.clock.moveTo(later(first.endsAt, RETENTION.appointmentLinkMs - MINUTE_MS).toISOString())
    await world.service.sweep()
    expect(await findByToken(world.service.context, again.token)).toMatchObject({ id: first.id })
    world.clock.advance(HOUR_MS + MINUTE_MS)
    await world.service.sweep()
    expect(await links()).toBe(0)
    expect(await findByToken(world.service.context, again.token)).toBeNull()
    expect(await findByToken(world.service.context, far.token)).toMatchObject({ id: far.id })
  },
)
