/** The set-up of services, resources, opening hours and the booking page. */
import { expect, test } from 'vitest'
import type {
  BookingPageView,
  OpeningChangeView,
  ResourceView,
  ServiceView,
  ShiftedView,
  SlotsView,
} from '../../src/contract/dashboard/booking-setup.ts'
import { APPOINTMENT_LIMITS, BOOKING_SETUP_LIMITS } from '../../src/core/limits/appointments.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { signedIn, walkPages } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import {
  addAppointment,
  deleteAppointment,
  putAppointment,
  repeatSetup,
} from '../support/records/appointments.ts'
import { auditLog } from '../support/records/audit.ts'

const HOURS = { monday: [{ from: '09:00', to: '12:00' }], sunday: [{ from: '20:00', to: '26:00' }] }

const world = await openWorld()
const { shop, owner } = await ownedShop(world)
const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
const at = `/companies/${shop.companyId}`
const changes = `${at}/opening-changes`
const pathOf = (path: string, { id }: { id: string }) => `${at}/${path}/${id}`

const addResource = async (json: object) =>
  (await owner.ask<ResourceView>('POST', `${at}/resources`, json)).body
const addService = async (json: object) =>
  (await owner.ask<ServiceView>('POST', `${at}/services`, json)).body
const addChange = (json: object) => owner.ask<OpeningChangeView>('POST', changes, json)

await owner.ask('PATCH', at, { timeZone: 'Asia/Riyadh' })
const { personId } = agent
const sara = await addResource({
  name: 'Sara',
  nameAr: 'سارة',
  kind: 'person',
  hours: HOURS,
  personId,
})
const room = await addResource({ name: 'Room 1', kind: 'room' })
const cut = await addService({ name: 'Cut', minutes: 60, needs: [{ resourceId: sara.id }] })

type Wrong = { code: string; reason: string; errors: { field: string; code: string }[] }
const wrongFields = ({ body }: { body: Wrong }) =>
  body.errors.map(({ field, code }) => `${field} ${code}`)
const slots = async (query: Record<string, string>) => {
  const asked = new URLSearchParams({ serviceId: cut.id, ...query })
  return agent.ask<SlotsView & Wrong>('GET', `${at}/slots?${asked.toString()}`)
}
/** Returns the Monday of the week after next in the calendar of Riyadh. */
function monday(): Date {
  const now = world.clock.now().getTime()
  const day = Math.ceil(now / DAY_MS) * DAY_MS
  const weekday = new Date(day).getUTCDay()
  return new Date(day + (((8 - weekday) % 7) + 7) * DAY_MS)
}
const days = (from: Date, more: number) => new Date(from.getTime() + more * DAY_MS).toISOString()

/** Books an hour. */
const appointment = (of: { startsAt: string; resourceId: string; zone?: string }) => {
  const startsAt = new Date(of.startsAt)
  return addAppointment(world, { ...of, companyId: shop.companyId, serviceId: cut.id, startsAt })
}
/** Returns the status of a refusal with its reason, if it has one. */
const refused = ({ status, body }: { status: number; body: Partial<Wrong> | null }) =>
  body?.reason === undefined ? [status] : [status, body.reason]

test('a service and its resources are stored as entered, and its slots are a duration apart', () => {
  const told = { name: 'Sara', nameAr: 'سارة', hours: HOURS, zone: null, isOn: true, personId }
  expect(sara).toMatchObject(told)
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
    needs: [{ resourceId: sara.id, role: '' }],
  })
})

test('slots follow the hours and every change of them, also past midnight', async () => {
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

  const times = async () => (await slots(week)).body.items.map(({ local }) => local.slice(11))
  const closed = { firstDay: first, lastDay: first, hours: null, name: 'Holiday' }
  const holiday = await addChange(closed)
  expect(holiday).toMatchObject({ status: 201, body: { ...closed, resourceId: null } })
  expect(await times()).toHaveLength(6)
  const own = { ...closed, resourceId: sara.id, hours: { from: '14:00', to: '15:00' } }
  const hers = await addChange(own)
  expect((await slots(week)).body.items.at(-1)!.local).toBe(`${first}T14:00`)
  const listed = await agent.ask<{ items: OpeningChangeView[] }>('GET', changes)
  expect(listed.body.items).toHaveLength(2)
  const hersAt = pathOf('opening-changes', hers.body)
  const hours = { from: '14:00', to: '17:00' }
  const longer = await owner.ask<OpeningChangeView>('PATCH', hersAt, { hours })
  expect(longer.body).toEqual({ ...hers.body, hours })
  expect((await times()).slice(-3)).toEqual(['14:00', '15:00', '16:00'])
  const early = await owner.ask<Wrong>('PATCH', hersAt, { lastDay: '2000-01-01' })
  expect(wrongFields(early)).toEqual(['lastDay days_in_order'])
  const shut = await owner.ask<OpeningChangeView>('PATCH', hersAt, { hours: null, name: 'Ill' })
  expect(shut.body).toMatchObject({ hours: null, name: 'Ill', firstDay: first })
  expect(await times()).toHaveLength(6)
  expect((await agent.ask('PATCH', hersAt, {})).status).toBe(403)
  for (const { body } of [holiday, hers]) await owner.ask('DELETE', pathOf('opening-changes', body))
  expect(await times()).toHaveLength(9)
})

test('a busy resource is not offered, a named person only at their times, a role without resources never', async () => {
  const from = monday()
  const day = { from: days(from, 0.125), to: days(from, 1) }
  const times = async (more = {}) =>
    (await slots({ ...day, ...more })).body.items.map(({ local }) => local.slice(11))
  const ofRoom = { resourceId: room.id }
  const change = (of: ServiceView | ResourceView, json: object) =>
    owner.ask<ServiceView>('PATCH', pathOf(of === cut ? 'services' : 'resources', of), json)
  const appointmentId = await appointment({ startsAt: days(from, 7 / 24), resourceId: sara.id })
  expect(await times()).toHaveLength(2)
  const needs = [{ resourceId: sara.id }, { ...ofRoom, role: 'room' }]
  expect((await change(cut, { needs })).body.canBeBooked).toBe(false)
  expect(await times()).toEqual([])
  await change(room, { hours: HOURS, zone: 'Asia/Dubai' })
  // The room is open from 9 to 12 in Dubai, which is an hour earlier.
  expect(await times()).toEqual(['09:00'])
  expect(await times(ofRoom)).toHaveLength(1)
  await change(room, { isOn: false })
  expect(await times()).toEqual([])
  await change(cut, { needs: [{ resourceId: sara.id }] })
  expect(await times(ofRoom)).toEqual([])
  await deleteAppointment(world, appointmentId)
})

test('a wrong range of slots is refused with the reason', async () => {
  const from = monday()
  const until = (first: number, last: number) =>
    slots({ from: days(from, first), to: days(from, last) })
  expect(wrongFields(await until(1, 1))).toEqual(['to slots_in_order'])
  const { slotDays } = APPOINTMENT_LIMITS
  expect((await until(0, slotDays)).status).toBe(200)
  for (const last of [40, slotDays + 1 / 24]) {
    expect(wrongFields(await until(0, last))).toEqual(['to too_many_slot_days'])
  }
  // The range covers the first and the last time that can be written, and an id in capitals.
  for (const range of [
    { from: '9999-12-31T00:00:00Z', to: '9999-12-31T23:59:59Z' },
    { from: '0000-01-01T00:00:00Z', to: '0000-01-02T00:00:00Z' },
  ]) {
    expect(await slots(range)).toMatchObject({ status: 200, body: { items: [] } })
  }
  const week = { from: days(from, 0), to: days(from, 7) }
  const shouted = { serviceId: cut.id.toUpperCase(), resourceId: sara.id.toUpperCase() }
  expect((await slots({ ...week, ...shouted })).body).toEqual((await slots(week)).body)
  const unknown = { ...week, serviceId: world.service.context.ids.uuid() }
  expect(refused(await slots(unknown))).toEqual([404, 'no_such_service'])
})

test('a resource that is needed or booked and a service with appointments cannot be deleted', async () => {
  const gone = async (path: string, of: { id: string }) =>
    refused(await owner.ask<Wrong | null>('DELETE', pathOf(path, of)))
  expect(await gone('resources', sara)).toEqual([409, 'resource_in_use'])
  const appointmentId = await appointment({ startsAt: days(monday(), 7 / 24), resourceId: room.id })
  expect(await gone('services', cut)).toEqual([409, 'service_has_appointments'])
  expect(await gone('resources', room)).toEqual([409, 'resource_has_appointments'])
  await deleteAppointment(world, appointmentId)
  const needs = [{ resourceId: room.id }]
  const body = await addService({ name: 'Dye', minutes: 90, needs, isOn: false })
  expect(body.canBeBooked).toBe(false)
  expect(await gone('services', body)).toEqual([204])
  expect(await gone('resources', room)).toEqual([204])
  const left = await agent.ask<{ items: unknown[] }>('GET', `${at}/resources`)
  expect(left.body.items).toHaveLength(1)
  expect((await agent.ask('GET', pathOf('services', body))).status).toBe(404)
  const range = { serviceId: body.id, from: days(monday(), 0), to: days(monday(), 1) }
  expect((await slots(range)).status).toBe(404)
})

test('a person without weekly hours can be booked on a day of special hours, at the chosen step', async () => {
  const guest = await addResource({ name: 'Guest', kind: 'person' })
  const needs = [{ resourceId: guest.id }]
  const talk = await addService({ name: 'Talk', minutes: 60, stepMin: 15, needs })
  expect(talk).toMatchObject({ stepMin: 15, canBeBooked: false })
  const day = days(monday(), 0).slice(0, 10)
  const change = { resourceId: guest.id, firstDay: day, lastDay: day, hours: null }
  const closed = await addChange(change)
  const able = async () =>
    (await owner.ask<ServiceView>('GET', pathOf('services', talk))).body.canBeBooked
  expect(await able()).toBe(false)
  const hours = { from: '09:00', to: '12:00' }
  await owner.ask('PATCH', pathOf('opening-changes', closed.body), { hours })
  expect(await able()).toBe(true)
  await owner.ask('DELETE', pathOf('services', talk))
  await owner.ask('DELETE', pathOf('resources', guest))
  const left = await agent.ask<{ items: unknown[] }>('GET', changes)
  expect(left.body.items).toEqual([])
})

test('a wrong value is refused with its field named', async () => {
  const unknown = world.service.context.ids.uuid()
  const { owner: stranger } = await ownedShop(world)
  const service = { name: 'Nails', minutes: 30, needs: [] as object[] }
  const needs = (...ids: string[]) => ({ ...service, needs: ids.map((id) => ({ resourceId: id })) })
  const roles = Array.from({ length: 6 }, (_, role) => ({ resourceId: unknown, role: `${role}` }))
  const person = { name: 'Huda', kind: 'person' }
  const notPerson = { name: 'Room', kind: 'room', personId: agent.personId }
  const span = (from: string, to: string) => ({ from, to })
  const twice = { monday: [span('09:00', '13:00'), span('12:59', '18:00')] }
  const intoNext = { saturday: [span('20:00', '26:00')], sunday: [span('01:00', '09:00')] }
  const touching = {
    monday: [span('09:00', '13:00'), span('13:00', '24:00')],
    tuesday: [span('00:00', '24:00')],
  }
  const late = { friday: [{ from: '20:00', to: '36:01' }] }
  const change = { firstDay: '2027-02-08', lastDay: '2027-02-07', hours: null }
  const far = { firstDay: '1999-01-01', lastDay: '2027-02-30', hours: null }
  const whose = { ...change, lastDay: '2027-02-09', resourceId: unknown }
  for (const [path, json, ...wrong] of [
    ['services', needs(sara.id, sara.id), 'needs value_twice'],
    ['services', needs(sara.id, sara.id.toUpperCase()), 'needs value_twice'],
    ['services', { ...service, needs: roles }, 'needs value_twice', 'needs too_many_roles'],
    ['services', needs(unknown), 'needs[0].resourceId unknown_resource'],
    ['services', { ...service, minutes: 4 }, 'minutes too_small'],
    ['resources', { ...person, personId: stranger.personId }, 'personId not_a_member'],
    ['resources', notPerson, 'personId room_is_nobody'],
    ['resources', { ...person, zone: 'Riyadh' }, 'zone wrong_time_zone'],
    ['resources', { ...person, hours: late }, 'hours.friday[0].to wrong_night_time'],
    ['resources', { ...person, hours: twice }, 'hours openings_overlap'],
    ['resources', { ...person, hours: intoNext }, 'hours openings_overlap'],
    ['opening-changes', change, 'lastDay days_in_order'],
    ['opening-changes', far, 'firstDay wrong_day', 'lastDay wrong'],
    ['opening-changes', whose, 'resourceId unknown_resource'],
  ] as const) {
    expect(wrongFields(await owner.ask<Wrong>('POST', `${at}/${path}`, json))).toEqual(wrong)
  }
  const touches = { ...person, hours: touching }
  expect((await owner.ask('POST', `${at}/resources`, touches)).status).toBe(201)
})

test('the booking page has defaults and a separate address, and is on only with a bookable service', async () => {
  const page = `${at}/booking-page`
  const show = async () => (await agent.ask<BookingPageView>('GET', page)).body
  const edit = (json: object) => owner.ask<BookingPageView & Wrong>('PATCH', page, json)
  expect(await show()).toMatchObject({ isOn: false, slug: null, url: null, maxDays: 60 })
  expect(wrongFields(await edit({ isOn: true }))).toEqual(['slug page_needs_slug'])
  expect(wrongFields(await edit({ slug: 'Sara--s', colour: 'red' }))).toEqual([
    'slug wrong_slug',
    'colour wrong_colour',
  ])
  await owner.ask('PATCH', pathOf('services', cut), { isOn: false })
  const told = { slug: 'sara-salon', isOn: true, colour: '#0A7D5C', introAr: 'أهلًا', maxDays: 7 }
  expect(wrongFields(await edit(told))).toEqual(['isOn page_needs_service'])
  await owner.ask('PATCH', pathOf('services', cut), { isOn: true })
  const on = await edit(told)
  expect(on.body).toMatchObject({ ...told, colour: '#0a7d5c', zone: null, intro: null })
  expect(on.body.url).toMatch(/\/b\/sara-salon$/)
  expect((await edit({ introAr: null })).body).toMatchObject({ maxDays: 7, introAr: null })

  const other = await ownedShop(world)
  const path = `/companies/${other.shop.companyId}/booking-page`
  const taken = await other.owner.ask<Wrong>('PATCH', path, { slug: 'sara-salon' })
  expect(wrongFields(taken)).toEqual(['slug slug_taken'])
})

test('the set-up is audited', async () => {
  const actions = await auditLog(world, shop)
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

test('appointments whose zone changed its clock are listed, and do not move automatically', async () => {
  const startsAt = days(monday(), 7 / 24)
  const id = await appointment({ startsAt, resourceId: sara.id, zone: 'Africa/Casablanca' })
  const shifted = () => owner.ask<{ items: ShiftedView[] }>('GET', `${at}/appointments/shifted`)
  expect((await shifted()).body.items).toEqual([])
  await putAppointment(world, id, { localStart: '2027-01-04T11:00' })
  const { body } = await shifted()
  expect(body.items).toMatchObject([{ id, startsAt, wanted: '2027-01-04T11:00' }])
  expect(body.items[0]!.local).not.toBe('2027-01-04T11:00')
  // The list contains only coming, confirmed appointments, and only of this company.
  const other = await ownedShop(world)
  const theirs = `/companies/${other.shop.companyId}/appointments/shifted`
  expect((await other.owner.ask<{ items: ShiftedView[] }>('GET', theirs)).body.items).toEqual([])
  const cancelledAt = world.clock.now()
  await putAppointment(world, id, { status: 'cancelled', cancelledAt, cancelledBy: 'member' })
  expect((await shifted()).body.items).toEqual([])
  const stands = { status: 'confirmed', cancelledAt: null, cancelledBy: null }
  await putAppointment(world, id, stands)
  expect((await shifted()).body.items).toHaveLength(1)
  const later = await appointment({ startsAt, resourceId: room.id, zone: 'Africa/Casablanca' })
  await putAppointment(world, later, { localStart: '2027-01-04T11:00' })
  const pages = await walkPages<ShiftedView>(owner, `${at}/appointments/shifted`, { limit: '1' })
  expect(pages.map((one) => one.id)).toEqual([id, later])
  await putAppointment(world, later, { startsAt: world.clock.now() })
  await putAppointment(world, id, { startsAt: world.clock.now() })
  expect((await shifted()).body.items).toEqual([])
})

const KINDS = {
  services: 'service',
  resources: 'resource',
  'opening-changes': 'opening_change',
} as const
const DAY = { firstDay: '2027-02-08', lastDay: '2027-02-08', hours: null }

test.each([
  ['services', BOOKING_SETUP_LIMITS.services, { name: 'Cut', minutes: 30, needs: [] }],
  ['resources', BOOKING_SETUP_LIMITS.resources, { name: 'Room', kind: 'room' }],
  ['opening-changes', BOOKING_SETUP_LIMITS.openingChanges, DAY],
])('a company has at most its limit of %s', async (list, max, one) => {
  const other = await ownedShop(world)
  const path = `/companies/${other.shop.companyId}/${list}`
  const { body } = await other.owner.ask<{ id: string }>('POST', path, one)
  const kind = KINDS[list as keyof typeof KINDS]
  await repeatSetup(world, kind, body.id, max - 2)
  expect((await other.owner.ask('POST', path, one)).status).toBe(201)
  const full = await other.owner.ask('POST', path, one)
  const reason = `too_many_${list.replace('-', '_')}`
  expect([full.status, full.body]).toMatchObject([409, { reason, params: { max } }])
})
