/** Appointments in members' own calendars; and what becomes of them when contacts are merged and erased. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findByToken } from '../../src/appointments/find-by-token.ts'
import type { AppointmentDetail } from '../../src/contract/dashboard/appointment.ts'
import type {
  CalendarLinkView,
  MadeCalendarLink,
} from '../../src/contract/dashboard/calendar-link.ts'
import { CALENDAR_LIMITS } from '../../src/limits/appointments.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { bookableShop, booked, customerOf, type BookableShop } from '../support/bookable.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createWorld, type World } from '../support/service.ts'

let world: World
let shop: Shop
let bookable: BookableShop
let agent: Member
let owner: Member
let at: string
let day = 0
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  bookable = await bookableShop(world, shop.companyId)
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})
afterAll(() => world.close())

const aTime = () => {
  day += 1
  return new Date(Date.parse('2026-11-22T07:00:00Z') + day * DAY_MS)
}
const link = async (json: object = {}, member = agent) =>
  (await member.ask<MadeCalendarLink>('POST', `${at}/calendar-links`, json)).body
/** As a calendar reads it: at this world's own address, whatever it is called outside. */
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

test('a member’s link is told once and reads what they are to keep; moved and cancelled ones keep their id', async () => {
  const [one, two] = [await bookable.resource(), await bookable.resource()]
  const startsAt = aTime()
  const customer = customerOf({ name: 'Sara; الأولى', phone: '+966 55 000 1111' })
  const mine = booked(
    await bookable.book({ serviceId: await bookable.service([{ id: one }]), startsAt, customer }),
  )
  const other = booked(
    await bookable.book({ serviceId: await bookable.service([{ id: two }]), startsAt }),
  )
  const made = await link({ resourceId: one })
  const seen = await read(made.url)
  expect([seen.status, seen.type]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(seen.events).toHaveLength(1)
  const [event] = seen.events
  expect(event!.get('UID')).toBe(`${mine.id}@appointments.wasla`)
  expect(event!.get('SUMMARY')).toBe('Haircut – Sara\\; الأولى')
  expect(event!.get('DESCRIPTION')).toContain('+966550001111')
  expect(event!.get('SEQUENCE')).toBe('1')

  const all = await link()
  const uids = (await read(all.url)).events.map((each) => each.get('UID'))
  expect(uids).toEqual(
    expect.arrayContaining([mine, other].map(({ id }) => `${id}@appointments.wasla`)),
  )
  const next = new Date(startsAt.getTime() + HOUR_MS)
  await agent.ask('POST', `${at}/appointments/${mine.id}/move`, { startsAt: next })
  const moved = (await read(made.url)).events[0]!
  expect([moved.get('SEQUENCE'), moved.get('DTSTART')]).toEqual([
    '2',
    `${next.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
  ])
  await agent.ask('POST', `${at}/appointments/${mine.id}/cancel`, {})
  const cancelled = (await read(made.url)).events[0]!
  expect([cancelled.get('SEQUENCE'), cancelled.get('STATUS')]).toEqual(['3', 'CANCELLED'])
  const listed = await agent.ask<{ items: CalendarLinkView[] }>('GET', `${at}/calendar-links`)
  expect(JSON.stringify(listed.body)).not.toContain('cal_')
})

test('it has what the company itself books, from 30 days back to a year ahead, and where that is', async () => {
  const neighbour = await createShop(world, { phoneNumberId: '206540352242922' })
  const there = await bookableShop(world, neighbour.companyId)
  const foreign = await there.service([{ id: await there.resource() }])
  booked(await there.book({ serviceId: foreign, startsAt: aTime() }))
  await owner.ask('PATCH', `${at}/booking-page`, { address: 'King Fahd Road' })
  const room = await bookable.resource('room')
  const serviceId = await bookable.service([{ id: room }])
  const add = async (startsAt: Date) => {
    const input = {
      key: `key-of-a-member-${startsAt.getTime()}`,
      name: 'Sara',
      serviceId,
      startsAt,
    }
    const made = await agent.ask<{ id: string }>('POST', `${at}/appointments`, input)
    expect(made.status).toBe(201)
    return made.body.id
  }
  const now = world.clock.now().getTime()
  const past = await add(new Date(now - CALENDAR_LIMITS.pastDays * DAY_MS))
  await add(new Date(now - CALENDAR_LIMITS.pastDays * DAY_MS - HOUR_MS))
  const near = await add(new Date(now + CALENDAR_LIMITS.comingDays * DAY_MS - HOUR_MS))
  await add(new Date(now + CALENDAR_LIMITS.comingDays * DAY_MS))
  const ofRoom = await read((await link({ resourceId: room })).url)
  expect(ofRoom.events.map((each) => each.get('UID'))).toEqual(
    [past, near].map((id) => `${id}@appointments.wasla`),
  )
  expect(ofRoom.events[0]!.get('LOCATION')).toMatch(/^room \d+\\, King Fahd Road$/)
  const { rows } = await world.database.db.pool.query<{ id: string }>(
    'select id from appointment where company_id = $1',
    [neighbour.companyId],
  )
  const all = await read((await link()).url)
  expect(all.text).toContain(near)
  expect(all.text).not.toContain(rows[0]!.id)
})

test('a member sees their own links, has so many, and makes one that there is in place of it', async () => {
  const busy = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const { companyId } = shop
  const { ids } = world.service.context
  const listed = async () =>
    (await busy.ask<{ items: CalendarLinkView[] }>('GET', `${at}/calendar-links`)).body.items
  expect(await listed()).toEqual([])
  const resources: string[] = []
  for (let nth = 0; nth < CALENDAR_LIMITS.links; nth += 1) resources.push(await bookable.resource())
  const links = resources.map((resourceId) => ({
    id: ids.uuid(),
    companyId,
    personId: busy.personId,
    resourceId,
    tokenHash: Buffer.from(resourceId),
    createdAt: world.clock.now(),
  }))
  await world.database.db.kysely.insertInto('calendarLink').values(links).execute()
  const full = await busy.ask('POST', `${at}/calendar-links`, {})
  expect([full.status, full.body]).toMatchObject([409, { reason: 'calendar_links_full' }])
  const resourceId = resources[0]!
  expect((await busy.ask('POST', `${at}/calendar-links`, { resourceId })).status).toBe(201)
  expect(await listed()).toHaveLength(CALENDAR_LIMITS.links)
})

test('renewed, deleted, forged, of somebody who left: it opens nothing', async () => {
  const leaver = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const colleagues = await link()
  const first = await link({}, leaver)
  const second = await link({}, leaver)
  expect((await read(first.url)).status).toBe(404)
  expect((await read(second.url)).status).toBe(200)
  expect((await read(colleagues.url)).status).toBe(200)
  const otherOnes = await agent.ask('DELETE', `${at}/calendar-links/${second.id}`)
  expect(otherOnes.status).toBe(404)
  for (const forged of [
    'cal_.ics',
    `cal_${'A'.repeat(43)}.ics`,
    'x',
    `${new URL(second.url).pathname.slice(10)}x`,
  ]) {
    expect((await fetch(`${world.url}/calendar/${forged}`)).status).toBe(404)
  }
  // A person may be a member of another account, too.
  const elsewhere = await createShop(world, { phoneNumberId: '306540352242922' })
  await world.database.db.kysely
    .insertInto('member')
    .values({
      id: world.service.context.ids.uuid(),
      accountId: elsewhere.accountId,
      personId: leaver.personId,
      role: 'agent',
      createdAt: world.clock.now(),
    })
    .execute()
  await owner.ask('DELETE', `/members/${leaver.memberId}`)
  expect((await read(second.url)).status).toBe(404)
  // Nor once they are back.
  await world.database.db.kysely
    .insertInto('member')
    .values({
      id: world.service.context.ids.uuid(),
      accountId: shop.accountId,
      personId: leaver.personId,
      role: 'agent',
      createdAt: world.clock.now(),
    })
    .execute()
  expect((await read(second.url)).status).toBe(404)
  const mine = await link()
  expect((await agent.ask('DELETE', `${at}/calendar-links/${mine.id}`)).status).toBe(204)
  expect((await read(mine.url)).status).toBe(404)
  const unknown = await agent.ask('POST', `${at}/calendar-links`, {
    resourceId: world.service.context.ids.uuid(),
  })
  expect(unknown.body.errors).toMatchObject([{ field: 'resourceId', code: 'unknown_resource' }])
  world.clock.advance(MINUTE_MS)
  const statuses = new Set<number>()
  for (let time = 0; time <= CALENDAR_LIMITS.readsPerAddressPerMinute; time += 1) {
    statuses.add((await fetch(`${world.url}/calendar/x`)).status)
  }
  expect(statuses).toEqual(new Set([404, 429]))
  world.clock.advance(MINUTE_MS)
})

test('merged: the appointments go over to the one that stays', async () => {
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const made = booked(await bookable.book({ serviceId, startsAt: aTime() }))
  const stays = booked(await bookable.book({ serviceId, startsAt: aTime() }))
  const merged = await owner.ask('POST', `${at}/contacts/${stays.contactId}/merge`, {
    fromId: made.contactId,
  })
  expect(merged.status).toBe(200)
  const { body } = await agent.ask<{ items: { id: string }[] }>(
    'GET',
    `${at}/appointments?contactId=${stays.contactId}`,
  )
  expect(body.items.map(({ id }) => id).toSorted()).toEqual([made.id, stays.id].toSorted())
})

test('erased: name, number, words and links are gone; the row and its time stay', async () => {
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const startsAt = aTime()
  const customer = customerOf({ name: 'Gone', phone: '+966559998877', email: 'gone@x.example' })
  const made = booked(await bookable.book({ serviceId, startsAt, customer }))
  await agent.ask('POST', `${at}/appointments/${made.id}/cancel`, { reason: 'Gone is ill' })
  const contact = `${at}/contacts/${made.contactId}`
  await agent.ask('POST', `${contact}/opt-out`)
  await agent.ask('POST', `${contact}/opt-in`, { reason: 'Gone came by and said so' })
  const erased = await owner.ask('POST', `${at}/contacts/${made.contactId}/erase`, {
    confirm: true,
  })
  expect(erased.status).toBe(200)
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
