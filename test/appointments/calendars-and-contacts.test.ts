/** Appointments in members' own calendars, and in contacts that are merged and erased. */
import { expect, test } from 'vitest'
import { findByToken } from '../../src/modules/appointments/find-by-token.ts'
import type { AppointmentDetail } from '../../src/contract/dashboard/appointment.ts'
import type {
  CalendarLinkView,
  MadeCalendarLink,
} from '../../src/contract/dashboard/calendar-link.ts'
import { CALENDAR_LIMITS } from '../../src/core/limits/appointments.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop, booked, customerOf, later } from '../support/bookable.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { addMember } from '../support/records/members.ts'
import { createOwnShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const { shop, owner } = await ownedShop(world)
const { accountId, companyId } = shop
const bookable = await bookableShop(world, companyId)
const { aTime } = bookable
const agent = await signedIn(world, { accountId, role: 'agent' })
const at = `/companies/${companyId}`
const links = `${at}/calendar-links`
const UNKNOWN = { status: 404 }

const link = async (json: object = {}, member = agent) =>
  (await member.ask<MadeCalendarLink>('POST', links, json)).body
const listed = async (member: Member) =>
  (await member.ask<{ items: CalendarLinkView[] }>('GET', links)).body.items
const uidOf = ({ id }: { id: string }) => `${id}@appointments.wasla`
/** Reads a link as a calendar does, but at this world's address instead of the public one. */
const read = async (url: string) => {
  const answer = await fetch(`${world.url}${new URL(url).pathname}`)
  const text = await answer.text()
  const events = text
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT')
    .slice(1)
    .map(
      (event) =>
        new Map(
          event.split('\r\n').map((line) => line.split(/:(.*)/s).slice(0, 2) as [string, string]),
        ),
    )
  return { status: answer.status, type: answer.headers.get('content-type'), text, events }
}

test('a member’s link is shown once, and its appointments keep their id when moved or cancelled', async () => {
  const [one, two] = [await bookable.resource(), await bookable.resource()]
  const startsAt = aTime()
  const customer = customerOf({ name: 'Sara; الأولى', phone: '+966 55 000 1111' })
  const [serviceId, otherId] = [
    await bookable.service([{ id: one }]),
    await bookable.service([{ id: two }]),
  ]
  const mine = booked(await bookable.book({ serviceId, startsAt, customer }))
  const other = booked(await bookable.book({ serviceId: otherId, startsAt }))
  const made = await link({ resourceId: one })
  const seen = await read(made.url)
  expect([seen.status, seen.type]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(seen.events).toHaveLength(1)
  const [event] = seen.events
  expect(event!.get('UID')).toBe(uidOf(mine))
  expect(event!.get('SUMMARY')).toBe('Haircut – Sara\\; الأولى')
  expect(event!.get('DESCRIPTION')).toContain('+966550001111')
  expect(event!.get('SEQUENCE')).toBe('1')

  const all = await read((await link()).url)
  const uids = all.events.map((each) => each.get('UID'))
  expect(uids).toEqual(expect.arrayContaining([mine, other].map(uidOf)))
  const next = later(startsAt, HOUR_MS)
  await agent.ask('POST', `${at}/appointments/${mine.id}/move`, { startsAt: next })
  const moved = (await read(made.url)).events[0]!
  const written = `${next.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  expect([moved.get('SEQUENCE'), moved.get('DTSTART')]).toEqual(['2', written])
  await agent.ask('POST', `${at}/appointments/${mine.id}/cancel`, {})
  const cancelled = (await read(made.url)).events[0]!
  expect([cancelled.get('SEQUENCE'), cancelled.get('STATUS')]).toEqual(['3', 'CANCELLED'])
  expect(JSON.stringify(await listed(agent))).not.toContain('cal_')
})

test("a calendar contains the company's own appointments from 30 days back to a year ahead, with the place", async () => {
  const neighbour = await createOwnShop(world)
  const there = await bookableShop(world, neighbour.companyId)
  const foreign = { serviceId: await there.ownService(), startsAt: aTime() }
  const theirs = booked(await there.book(foreign))
  await owner.ask('PATCH', `${at}/booking-page`, { address: 'King Fahd Road' })
  const room = await bookable.resource('room')
  const serviceId = await bookable.service([{ id: room }])
  const add = async (ms: number) => {
    const input = { key: `key-of-a-member-${ms}`, name: 'Sara', serviceId }
    const startsAt = later(world.clock.now(), ms)
    const path = `${at}/appointments`
    const made = await agent.ask<{ id: string }>('POST', path, { ...input, startsAt })
    expect(made.status).toBe(201)
    return made.body
  }
  const past = await add(-CALENDAR_LIMITS.pastDays * DAY_MS)
  await add(-CALENDAR_LIMITS.pastDays * DAY_MS - HOUR_MS)
  const near = await add(CALENDAR_LIMITS.comingDays * DAY_MS - HOUR_MS)
  await add(CALENDAR_LIMITS.comingDays * DAY_MS)
  const ofRoom = await read((await link({ resourceId: room })).url)
  expect(ofRoom.events.map((each) => each.get('UID'))).toEqual([past, near].map(uidOf))
  expect(ofRoom.events[0]!.get('LOCATION')).toMatch(/^room \d+\\, King Fahd Road$/)
  const all = await read((await link()).url)
  expect(all.text).toContain(near.id)
  expect(all.text).not.toContain(theirs.id)
})

systemTest(
  'a member sees only their own links, has a limited number, and can replace one',
  async () => {
    const busy = await signedIn(world, { accountId, role: 'agent' })
    expect(await listed(busy)).toEqual([])
    const [first, ...more] = await Promise.all(
      Array.from({ length: CALENDAR_LIMITS.links }, () => bookable.resource()),
    )
    for (const resourceId of [first, ...more]) await link({ resourceId }, busy)
    const full = await busy.ask('POST', links, {})
    expect(full).toMatchObject({ status: 409, body: { reason: 'calendar_links_full' } })
    expect((await busy.ask('POST', links, { resourceId: first })).status).toBe(201)
    expect(await listed(busy)).toHaveLength(CALENDAR_LIMITS.links)
  },
)

test('a link that was renewed, deleted, forged or belongs to a former member opens nothing', async () => {
  const leaver = await signedIn(world, { accountId, role: 'agent' })
  const colleagues = await link()
  const first = await link({}, leaver)
  const second = await link({}, leaver)
  expect(await read(first.url)).toMatchObject(UNKNOWN)
  expect((await read(second.url)).status).toBe(200)
  expect((await read(colleagues.url)).status).toBe(200)
  expect(await agent.ask('DELETE', `${links}/${second.id}`)).toMatchObject(UNKNOWN)
  const own = new URL(second.url).pathname.slice(10)
  for (const forged of ['cal_.ics', `cal_${'A'.repeat(43)}.ics`, 'x', `${own}x`]) {
    expect((await fetch(`${world.url}/calendar/${forged}`)).status).toBe(404)
  }
  // The leaver stays a member of another account.
  const elsewhere = await createOwnShop(world)
  await addMember(world, elsewhere, leaver, 'agent')
  await owner.ask('DELETE', `/members/${leaver.memberId}`)
  expect(await read(second.url)).toMatchObject(UNKNOWN)
  // The link stays closed when the member comes back.
  await addMember(world, shop, leaver, 'agent')
  expect(await read(second.url)).toMatchObject(UNKNOWN)
  const mine = await link()
  expect((await agent.ask('DELETE', `${links}/${mine.id}`)).status).toBe(204)
  expect(await read(mine.url)).toMatchObject(UNKNOWN)
  const unknown = await agent.ask('POST', links, { resourceId: world.service.context.ids.uuid() })
  expect(unknown.body.errors).toMatchObject([{ field: 'resourceId', code: 'unknown_resource' }])
  world.clock.advance(MINUTE_MS)
  const statuses = new Set<number>()
  for (let time = 0; time <= CALENDAR_LIMITS.readsPerAddressPerMinute; time += 1) {
    statuses.add((await fetch(`${world.url}/calendar/x`)).status)
  }
  expect(statuses).toEqual(new Set([404, 429]))
  world.clock.advance(MINUTE_MS)
})

test('merging contacts moves the appointments to the contact that stays', async () => {
  const serviceId = await bookable.ownService()
  const made = booked(await bookable.book({ serviceId, startsAt: aTime() }))
  const stays = booked(await bookable.book({ serviceId, startsAt: aTime() }))
  const merge = `${at}/contacts/${stays.contactId}/merge`
  expect((await owner.ask('POST', merge, { fromId: made.contactId })).status).toBe(200)
  const path = `${at}/appointments?contactId=${stays.contactId}`
  const { body } = await agent.ask<{ items: { id: string }[] }>('GET', path)
  expect(body.items.map(({ id }) => id).toSorted()).toEqual([made.id, stays.id].toSorted())
})

test('erasing a contact removes name, number, texts and links, and keeps the row and its time', async () => {
  const serviceId = await bookable.ownService()
  const startsAt = aTime()
  const customer = customerOf({ name: 'Gone', phone: '+966559998877', email: 'gone@x.example' })
  const made = booked(await bookable.book({ serviceId, startsAt, customer }))
  await agent.ask('POST', `${at}/appointments/${made.id}/cancel`, { reason: 'Gone is ill' })
  const contact = `${at}/contacts/${made.contactId}`
  await agent.ask('POST', `${contact}/opt-out`)
  await agent.ask('POST', `${contact}/opt-in`, { reason: 'Gone came by and said so' })
  expect((await owner.ask('POST', `${contact}/erase`, { confirm: true })).status).toBe(200)
  const { body } = await agent.ask<AppointmentDetail>('GET', `${at}/appointments/${made.id}`)
  expect(body).toMatchObject({
    customerName: null,
    phone: null,
    email: null,
    cancellationReason: null,
    status: 'cancelled',
    startsAt: startsAt.toISOString(),
  })
  expect(JSON.stringify(body)).not.toMatch(/Gone|9998877/)
  const audit = await owner.ask<{ items: { action: string }[] }>('GET', '/audit')
  expect(audit.body.items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['contact.erased', 'contact.opted_in', 'appointment.cancelled']),
  )
  expect(JSON.stringify(audit.body)).not.toMatch(/Gone/)
  expect(await findByToken(world.service.context, made.token)).toBeNull()
})
