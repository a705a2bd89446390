/** What can be booked, who keeps it, when, and the page on which customers do it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  BookingPageView,
  OpeningChangeView,
  ResourceView,
  ServiceView,
  ShiftedView,
  SlotsView,
} from '../../src/contract/dashboard/booking-setup.ts'
import { APPOINTMENT_LIMITS } from '../../src/limits/appointments.ts'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import { wallTextAt } from '../../src/rules/time/zone.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
let agent: Member
let at: string
let sara: ResourceView
let room: ResourceView
let cut: ServiceView

const HOURS = { monday: [{ from: '09:00', to: '12:00' }], sunday: [{ from: '20:00', to: '26:00' }] }

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  at = `/companies/${shop.companyId}`
  await owner.ask('PATCH', at, { timeZone: 'Asia/Riyadh' })
  const person = { name: 'Sara', nameAr: 'سارة', kind: 'person', hours: HOURS }
  const personId = agent.personId
  sara = (await owner.ask<ResourceView>('POST', `${at}/resources`, { ...person, personId })).body
  room = (
    await owner.ask<ResourceView>('POST', `${at}/resources`, { name: 'Room 1', kind: 'room' })
  ).body
  cut = (
    await owner.ask<ServiceView>('POST', `${at}/services`, {
      name: 'Cut',
      minutes: 60,
      needs: [{ resourceId: sara.id }],
    })
  ).body
})
afterAll(() => world.close())

type Wrong = { code: string; reason: string; errors: { field: string; code: string }[] }
const wrongFields = ({ body }: { body: Wrong }) =>
  body.errors.map(({ field, code }) => `${field} ${code}`)
const slots = async (query: Record<string, string>) => {
  const asked = new URLSearchParams({ serviceId: cut.id, ...query })
  return agent.ask<SlotsView & Wrong>('GET', `${at}/slots?${asked.toString()}`)
}
/** Monday of the world's next week but one, by the calendar of Riyadh. */
function monday(): Date {
  const now = world.clock.now().getTime()
  const day = Math.ceil(now / DAY_MS) * DAY_MS
  const weekday = new Date(day).getUTCDay()
  return new Date(day + (((8 - weekday) % 7) + 7) * DAY_MS)
}
const days = (from: Date, more: number) => new Date(from.getTime() + more * DAY_MS).toISOString()

/** An hour that is booked. */
async function appointment(of: {
  startsAt: string
  resourceId: string
  zone?: string
}): Promise<string> {
  const { db, ids, clock } = world.service.context
  const id = ids.uuid()
  const startsAt = new Date(of.startsAt)
  const endsAt = new Date(startsAt.getTime() + HOUR_MS)
  const { companyId } = shop
  const zone = of.zone ?? 'Asia/Riyadh'
  await db.kysely
    .insertInto('appointment')
    .values({
      id,
      companyId,
      reference: id,
      serviceId: cut.id,
      serviceName: 'Cut',
      startsAt,
      endsAt,
      zone,
      localStart: wallTextAt(zone, startsAt),
      source: 'staff',
      requestKey: id,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    .execute()
  const { resourceId } = of
  await sql`insert into appointment_busy (appointment_id, resource_id, company_id, busy)
    values (${id}, ${resourceId}, ${companyId}, tstzrange(${startsAt}, ${endsAt}))`.execute(
    db.kysely,
  )
  return id
}
async function end(id: string): Promise<void> {
  const { kysely } = world.database.db
  await kysely.deleteFrom('appointment').where('id', '=', id).execute()
}

test('a service and who it needs are as they were told, and steps are as long as it is', () => {
  expect(sara).toMatchObject({ name: 'Sara', nameAr: 'سارة', hours: HOURS, zone: null, isOn: true })
  expect(sara.personId).toBe(agent.personId)
  expect(room).toMatchObject({ kind: 'room', personId: null, hours: {} })
  expect(cut).toMatchObject({
    name: 'Cut',
    nameAr: null,
    minutes: 60,
    beforeMin: 0,
    afterMin: 0,
    stepMin: 60,
    isOn: true,
    canBeBooked: true,
    needs: [
      {
        resourceId: sara.id,
        role: '',
      },
    ],
  })
})

test('slots follow the hours, past midnight too, and every change of them', async () => {
  const from = monday()
  const week = { from: days(from, -1), to: days(from, 6) }
  const first = from.toISOString().slice(0, 10)
  const day = (more: number) => days(from, more).slice(0, 10)
  const told = (await slots(week)).body
  expect(told.zone).toBe('Asia/Riyadh')
  expect(told.items.map(({ local }) => local)).toEqual([
    ...['20:00', '21:00', '22:00', '23:00'].map((time) => `${day(-1)}T${time}`),
    ...['00:00', '01:00', '09:00', '10:00', '11:00'].map((time) => `${first}T${time}`),
  ])
  expect(told.items.at(-1)!.startsAt).toBe(`${first}T08:00:00.000Z`)

  const closed = { firstDay: first, lastDay: first, hours: null, name: 'Holiday' }
  const holiday = await owner.ask<OpeningChangeView>('POST', `${at}/opening-changes`, closed)
  expect(holiday).toMatchObject({ status: 201, body: { ...closed, resourceId: null } })
  expect((await slots(week)).body.items).toHaveLength(6)
  const own = { ...closed, resourceId: sara.id, hours: { from: '14:00', to: '15:00' } }
  const hers = await owner.ask<OpeningChangeView>('POST', `${at}/opening-changes`, own)
  expect((await slots(week)).body.items.at(-1)!.local).toBe(`${first}T14:00`)
  const listed = await agent.ask<{ items: OpeningChangeView[] }>('GET', `${at}/opening-changes`)
  expect(listed.body.items).toHaveLength(2)
  const hersAt = `${at}/opening-changes/${hers.body.id}`
  const longer = await owner.ask<OpeningChangeView>('PATCH', hersAt, {
    hours: { from: '14:00', to: '17:00' },
  })
  expect(longer.body).toEqual({ ...hers.body, hours: { from: '14:00', to: '17:00' } })
  expect((await slots(week)).body.items.slice(-3).map(({ local }) => local.slice(11))).toEqual([
    '14:00',
    '15:00',
    '16:00',
  ])
  const early = await owner.ask<Wrong>('PATCH', hersAt, { lastDay: '2000-01-01' })
  expect(wrongFields(early)).toEqual(['lastDay days_in_order'])
  const shut = await owner.ask<OpeningChangeView>('PATCH', hersAt, { hours: null, name: 'Ill' })
  expect(shut.body).toMatchObject({ hours: null, name: 'Ill', firstDay: first })
  expect((await slots(week)).body.items).toHaveLength(6)
  expect((await agent.ask('PATCH', hersAt, {})).status).toBe(403)
  for (const { body } of [holiday, hers]) {
    await owner.ask('DELETE', `${at}/opening-changes/${body.id}`)
  }
  expect((await slots(week)).body.items).toHaveLength(9)
})

test('what is taken is not offered; of a named person only theirs; a role without anybody offers none', async () => {
  const from = monday()
  const day = { from: days(from, 0.125), to: days(from, 1) }
  const appointmentId = await appointment({ startsAt: days(from, 7 / 24), resourceId: sara.id })
  expect((await slots(day)).body.items).toHaveLength(2)
  const also = { resourceId: room.id, role: 'room' }
  const needs = [{ resourceId: sara.id }, also]
  const edited = await owner.ask<ServiceView>('PATCH', `${at}/services/${cut.id}`, { needs })
  expect(edited.body.canBeBooked).toBe(false)
  expect((await slots(day)).body.items).toHaveLength(0)
  await owner.ask('PATCH', `${at}/resources/${room.id}`, { hours: HOURS, zone: 'Asia/Dubai' })
  // The room is open from 9 to 12 in Dubai, which is an hour earlier.
  expect((await slots(day)).body.items.map(({ local }) => local.slice(11))).toEqual(['09:00'])
  expect((await slots({ ...day, resourceId: room.id })).body.items).toHaveLength(1)
  await owner.ask('PATCH', `${at}/resources/${room.id}`, { isOn: false })
  expect((await slots(day)).body.items).toHaveLength(0)
  await owner.ask('PATCH', `${at}/services/${cut.id}`, { needs: [{ resourceId: sara.id }] })
  expect((await slots({ ...day, resourceId: room.id })).body.items).toHaveLength(0)
  await end(appointmentId)
})

test('a range of slots is told what is wrong with it', async () => {
  const from = monday()
  expect(wrongFields(await slots({ from: days(from, 1), to: days(from, 1) }))).toEqual([
    'to slots_in_order',
  ])
  expect(wrongFields(await slots({ from: days(from, 0), to: days(from, 40) }))).toEqual([
    'to too_many_slot_days',
  ])
  const none = { serviceId: world.service.context.ids.uuid() }
  // The end of what can be written as a time, and an id as others write it.
  const last = { from: '9999-12-31T00:00:00Z', to: '9999-12-31T23:59:59Z' }
  expect(await slots(last)).toMatchObject({ status: 200, body: { items: [] } })
  const first = { from: '0000-01-01T00:00:00Z', to: '0000-01-02T00:00:00Z' }
  expect(await slots(first)).toMatchObject({ status: 200, body: { items: [] } })
  const longest = { from: days(from, 0), to: days(from, APPOINTMENT_LIMITS.slotDays) }
  expect((await slots(longest)).status).toBe(200)
  const longer = { ...longest, to: days(from, APPOINTMENT_LIMITS.slotDays + 1 / 24) }
  expect(wrongFields(await slots(longer))).toEqual(['to too_many_slot_days'])
  const week = { from: days(from, 0), to: days(from, 7) }
  const shouted = { serviceId: cut.id.toUpperCase(), resourceId: sara.id.toUpperCase() }
  expect((await slots({ ...week, ...shouted })).body).toEqual((await slots(week)).body)
  const gone = await slots({ ...none, from: days(from, 0), to: days(from, 1) })
  expect([gone.status, gone.body.reason]).toEqual([404, 'no_such_service'])
})

test('what is needed or booked is not deleted', async () => {
  const isNeeded = await owner.ask<Wrong>('DELETE', `${at}/resources/${sara.id}`)
  expect([isNeeded.status, isNeeded.body.reason]).toEqual([409, 'resource_in_use'])
  const appointmentId = await appointment({ startsAt: days(monday(), 7 / 24), resourceId: room.id })
  const isBooked = await owner.ask<Wrong>('DELETE', `${at}/services/${cut.id}`)
  expect([isBooked.status, isBooked.body.reason]).toEqual([409, 'service_has_appointments'])
  const isTaken = await owner.ask<Wrong>('DELETE', `${at}/resources/${room.id}`)
  expect([isTaken.status, isTaken.body.reason]).toEqual([409, 'resource_has_appointments'])
  await end(appointmentId)
  const dye = { name: 'Dye', minutes: 90, needs: [{ resourceId: room.id }], isOn: false }
  const { body } = await owner.ask<ServiceView>('POST', `${at}/services`, dye)
  expect(body.canBeBooked).toBe(false)
  expect((await owner.ask('DELETE', `${at}/services/${body.id}`)).status).toBe(204)
  expect((await owner.ask('DELETE', `${at}/resources/${room.id}`)).status).toBe(204)
  const left = await agent.ask<{ items: unknown[] }>('GET', `${at}/resources`)
  expect(left.body.items).toHaveLength(1)
  expect((await agent.ask('GET', `${at}/services/${body.id}`)).status).toBe(404)
  const range = { serviceId: body.id, from: days(monday(), 0), to: days(monday(), 1) }
  expect((await slots(range)).status).toBe(404)
})

test('a day of their own lets somebody be booked who has no weekly hours; steps are as long as told', async () => {
  const guest = { name: 'Guest', kind: 'person' }
  const { id } = (await owner.ask<ResourceView>('POST', `${at}/resources`, guest)).body
  const talk = { name: 'Talk', minutes: 60, stepMin: 15, needs: [{ resourceId: id }] }
  const { body: made } = await owner.ask<ServiceView>('POST', `${at}/services`, talk)
  expect(made).toMatchObject({ stepMin: 15, canBeBooked: false })
  const day = days(monday(), 0).slice(0, 10)
  const change = { resourceId: id, firstDay: day, lastDay: day, hours: null }
  const changes = `${at}/opening-changes`
  const closed = await owner.ask<OpeningChangeView>('POST', changes, change)
  const able = async () =>
    (await owner.ask<ServiceView>('GET', `${at}/services/${made.id}`)).body.canBeBooked
  expect(await able()).toBe(false)
  const hours = { from: '09:00', to: '12:00' }
  await owner.ask('PATCH', `${changes}/${closed.body.id}`, { hours })
  expect(await able()).toBe(true)
  await owner.ask('DELETE', `${at}/services/${made.id}`)
  await owner.ask('DELETE', `${at}/resources/${id}`)
  const left = await agent.ask<{ items: unknown[] }>('GET', changes)
  expect(left.body.items).toEqual([])
})

test('what is told wrongly is named by its field', async () => {
  const create = async (noun: string, json: object) =>
    wrongFields(await owner.ask<Wrong>('POST', `${at}/${noun}`, json))
  const unknown = world.service.context.ids.uuid()
  const stranger = await signedIn(world, { accountId: (await createShop(world, OTHER)).accountId })
  const service = { name: 'Nails', minutes: 30, needs: [] }
  const twice = [{ resourceId: sara.id }, { resourceId: sara.id }]
  const roles = Array.from({ length: 6 }, (_, role) => ({ resourceId: unknown, role: `${role}` }))
  expect(await create('services', { ...service, needs: twice })).toEqual(['needs value_twice'])
  const shouted = [{ resourceId: sara.id }, { resourceId: sara.id.toUpperCase() }]
  expect(await create('services', { ...service, needs: shouted })).toEqual(['needs value_twice'])
  expect(await create('services', { ...service, needs: roles })).toEqual([
    'needs value_twice',
    'needs too_many_roles',
  ])
  expect(await create('services', { ...service, needs: [{ resourceId: unknown }] })).toEqual([
    'needs[0].resourceId unknown_resource',
  ])
  expect(await create('services', { ...service, minutes: 4 })).toEqual(['minutes too_small'])
  const person = { name: 'Huda', kind: 'person' }
  expect(await create('resources', { ...person, personId: stranger.personId })).toEqual([
    'personId not_a_member',
  ])
  const notPerson = { name: 'Room', kind: 'room', personId: agent.personId }
  expect(await create('resources', notPerson)).toEqual(['personId room_is_nobody'])
  expect(await create('resources', { ...person, zone: 'Riyadh' })).toEqual(['zone wrong_time_zone'])
  const late = { friday: [{ from: '20:00', to: '36:01' }] }
  expect(await create('resources', { ...person, hours: late })).toEqual([
    'hours.friday[0].to wrong_night_time',
  ])
  const change = { firstDay: '2027-02-08', lastDay: '2027-02-07', hours: null }
  expect(await create('opening-changes', change)).toEqual(['lastDay days_in_order'])
  const far = { firstDay: '1999-01-01', lastDay: '2027-02-30', hours: null }
  expect(await create('opening-changes', far)).toEqual(['firstDay wrong_day', 'lastDay wrong'])
  const whose = { ...change, lastDay: '2027-02-09', resourceId: unknown }
  expect(await create('opening-changes', whose)).toEqual(['resourceId unknown_resource'])
})
const OTHER = { phoneNumberId: '2', businessAccountId: '2' }

test('the booking page has the defaults, an address of its own, and is on only where something can be booked', async () => {
  const page = `${at}/booking-page`
  const show = async () => (await agent.ask<BookingPageView>('GET', page)).body
  const edit = (json: object) => owner.ask<BookingPageView & Wrong>('PATCH', page, json)
  expect(await show()).toMatchObject({ isOn: false, slug: null, url: null, maxDays: 60 })
  expect(wrongFields(await edit({ isOn: true }))).toEqual(['slug page_needs_slug'])
  expect(wrongFields(await edit({ slug: 'Sara--s', colour: 'red' }))).toEqual([
    'slug wrong_slug',
    'colour wrong_colour',
  ])
  await owner.ask('PATCH', `${at}/services/${cut.id}`, { isOn: false })
  expect(wrongFields(await edit({ slug: 'sara-salon', isOn: true }))).toEqual([
    'isOn page_needs_service',
  ])
  await owner.ask('PATCH', `${at}/services/${cut.id}`, { isOn: true })
  const told = { slug: 'sara-salon', isOn: true, colour: '#0A7D5C', introAr: 'أهلًا', maxDays: 7 }
  const on = await edit(told)
  expect(on.body).toMatchObject({ ...told, colour: '#0a7d5c', zone: null, intro: null })
  expect(on.body.url).toMatch(/\/b\/sara-salon$/)
  expect((await edit({ introAr: null })).body).toMatchObject({ maxDays: 7, introAr: null })

  const other = await createShop(world, { phoneNumberId: '3', businessAccountId: '3' })
  const stranger = await signedIn(world, { accountId: other.accountId })
  const taken = { slug: 'sara-salon' }
  const path = `/companies/${other.companyId}/booking-page`
  expect(wrongFields(await stranger.ask<Wrong>('PATCH', path, taken))).toEqual(['slug slug_taken'])
})

test('what is set up is audited', async () => {
  const actions = await world.database.db.kysely
    .selectFrom('audit')
    .select('action')
    .where('companyId', '=', shop.companyId)
    .execute()
  expect(new Set(actions.map(({ action }) => action))).toEqual(
    new Set([
      'company.hours_changed',
      'resource.created',
      'resource.edited',
      'resource.deleted',
      'service.created',
      'service.edited',
      'service.deleted',
      'opening_change.created',
      'opening_change.edited',
      'opening_change.deleted',
      'booking_page.edited',
    ]),
  )
})

test('appointments whose clock was changed are listed, and do not move by themselves', async () => {
  const startsAt = days(monday(), 7 / 24)
  const id = await appointment({ startsAt, resourceId: sara.id, zone: 'Africa/Casablanca' })
  const shifted = () => owner.ask<{ items: ShiftedView[] }>('GET', `${at}/appointments/shifted`)
  expect((await shifted()).body.items).toEqual([])
  await world.database.db.kysely
    .updateTable('appointment')
    .set({ localStart: '2027-01-04T11:00' })
    .where('id', '=', id)
    .execute()
  const { body } = await shifted()
  expect(body.items).toMatchObject([{ id, startsAt, wanted: '2027-01-04T11:00' }])
  expect(body.items[0]!.local).not.toBe('2027-01-04T11:00')
  // Only what is to come, and stands; nobody else is shown it.
  const stranger = await createShop(world, { phoneNumberId: '4', businessAccountId: '4' })
  const other = await signedIn(world, { accountId: stranger.accountId })
  const theirs = `/companies/${stranger.companyId}/appointments/shifted`
  expect((await other.ask<{ items: ShiftedView[] }>('GET', theirs)).body.items).toEqual([])
  const change = (values: object) =>
    world.database.db.kysely.updateTable('appointment').set(values).where('id', '=', id).execute()
  await change({ status: 'cancelled', cancelledAt: world.clock.now(), cancelledBy: 'member' })
  expect((await shifted()).body.items).toEqual([])
  await change({ status: 'confirmed', cancelledAt: null, cancelledBy: null })
  expect((await shifted()).body.items).toHaveLength(1)
  await change({ startsAt: world.clock.now() })
  expect((await shifted()).body.items).toEqual([])
})
