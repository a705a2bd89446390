/** Members make, move, cancel and close appointments, over the dashboard's API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type {
  AppointmentDetail,
  AppointmentView,
  ArrangedAppointment,
} from '../../src/contract/dashboard/appointment.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { bookableShop, booked, type BookableShop } from '../support/bookable.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createWorld, type World } from '../support/service.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let bookable: BookableShop
let agent: Member
let at: string
let day = 0
let key = 0
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  bookable = await bookableShop(world, shop.companyId)
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  at = `/companies/${shop.companyId}/appointments`
})
afterAll(() => world.close())

/** 10:00 in Riyadh on a day that no other test uses. */
const aTime = () => {
  day += 1
  return new Date(Date.parse('2026-11-22T07:00:00Z') + day * DAY_MS)
}
const later = (time: Date, ms: number) => new Date(time.getTime() + ms)
const add = (input: object) => {
  key += 1
  const named = { key: `key-of-a-member-${key}`, name: 'Sara' }
  return agent.ask<ArrangedAppointment>('POST', at, { ...named, ...input })
}
const act = <Body = ArrangedAppointment>(id: string, what: string, json: object = {}) =>
  agent.ask<Body>('POST', `${at}/${id}/${what}`, json)
const auditedOf = async (appointmentId: string) => {
  const rows = await world.database.db.kysely
    .selectFrom('audit')
    .select('action')
    .where('subjectId', '=', appointmentId)
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}
const raised = async () => {
  const { rows } = await world.database.db.pool.query<{ type: string }>(
    `select type from event where type like 'appointment.%' order by id`,
  )
  return rows.map(({ type }) => type)
}

test('made by hand: no event of it, one of a contact that is new; one key books once', async () => {
  const person = await bookable.resource()
  const serviceId = await bookable.service([{ id: person }])
  const startsAt = aTime()
  const input = { key: 'the-same-key-twice', serviceId, startsAt, phone: '+966 55 100 0001' }
  const made = await add(input)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    serviceName: 'Haircut',
    resources: [{ id: person, kind: 'person' }],
    startsAt: startsAt.toISOString(),
    endsAt: later(startsAt, 30 * MINUTE_MS).toISOString(),
    zone: 'Asia/Riyadh',
    status: 'confirmed',
    customerName: 'Sara',
    phone: '+966551000001',
    source: 'staff',
    warnings: [],
    contact: { name: 'Sara' },
  })
  expect((await add(input)).body.id).toBe(made.body.id)
  expect(await raised()).toEqual([])
  const contact = await agent.ask<ContactView>(
    'GET',
    `/companies/${shop.companyId}/contacts/${made.body.contact!.id}`,
  )
  expect(contact.body).toMatchObject({ source: 'member', phone: '+966551000001' })

  const neighbour = await createShop(world, { phoneNumberId: '107777777777777' })
  const there = await bookableShop(world, neighbour.companyId)
  const stranger = await signedIn(world, { accountId: neighbour.accountId, role: 'agent' })
  const theirs = await stranger.ask<ArrangedAppointment>(
    'POST',
    `/companies/${neighbour.companyId}/appointments`,
    { ...input, name: 'Omar', serviceId: await there.service([{ id: await there.resource() }]) },
  )
  expect(theirs).toMatchObject({ status: 201, body: { customerName: 'Omar' } })

  const again = await add({ serviceId, startsAt: aTime(), phone: '00966551000001' })
  expect(again.body.contact!.id).toBe(made.body.contact!.id)
  const named = await add({ serviceId, startsAt: aTime(), name: 'Nobody' })
  expect(named.body).toMatchObject({ contact: null, customerName: 'Nobody' })
  const known = await add({
    serviceId,
    startsAt: aTime(),
    name: undefined,
    contactId: made.body.contact!.id,
  })
  expect(known.body).toMatchObject({ customerName: 'Sara', phone: '+966551000001' })
})

test('over another it is refused; outside the hours it is booked, with a warning', async () => {
  const people = [await bookable.resource(), await bookable.resource()].toSorted()
  const serviceId = await bookable.service(people.map((id) => ({ id })))
  const startsAt = aTime()
  booked(await bookable.book({ serviceId, startsAt, resourceId: people[0]! }))
  const over = await add({
    serviceId,
    startsAt: later(startsAt, 5 * MINUTE_MS),
    resourceId: people[0],
  })
  expect([over.status, over.body]).toMatchObject([
    409,
    { code: 'slot_taken', reason: 'slot_not_free' },
  ])
  const anyone = await add({ serviceId, startsAt: later(startsAt, 5 * MINUTE_MS) })
  expect(anyone.body.resources[0]!.id).toBe(people[1])
  expect((await add({ serviceId, startsAt })).body).toMatchObject({ code: 'slot_taken' })

  const night = await add({ serviceId, startsAt: later(startsAt, 12 * HOUR_MS) })
  expect(night.status).toBe(201)
  expect(night.body.warnings).toMatchObject([{ code: 'outside_opening_hours' }])
})

test('what is not to be had is named by its field', async () => {
  const resource = await bookable.resource()
  const serviceId = await bookable.service([{ id: resource }])
  const startsAt = aTime()
  const unknown = world.service.context.ids.uuid()
  const why = async (input: object) => {
    const { status, body } = await agent.ask('POST', at, { key: 'key-of-a-member-x', ...input })
    expect(status).toBe(422)
    return body.errors!.map(({ field, code }) => `${field} ${code}`)
  }
  expect(await why({ serviceId, startsAt })).toEqual(['name booking_nameless'])
  expect(await why({ serviceId: unknown, startsAt, name: 'S' })).toEqual([
    'serviceId unknown_service',
  ])
  expect(await why({ serviceId, startsAt, name: 'S', resourceId: unknown })).toEqual([
    'resourceId resource_not_of_service',
  ])
  expect(await why({ serviceId, startsAt, contactId: unknown })).toEqual([
    'contactId unknown_contact',
  ])
  for (const far of ['2036-01-01T00:00:00Z', '2020-01-01T00:00:00Z']) {
    expect(await why({ serviceId, startsAt: far, name: 'S' })).toEqual([
      'startsAt appointment_too_far',
    ])
  }
  const { body: made } = await add({ serviceId, startsAt })
  const moved = await act(made.id, 'move', { startsAt: '2036-01-01T00:00:00Z' })
  expect(moved).toMatchObject({ status: 422, body: { errors: [{ field: 'startsAt' }] } })
})

systemTest(
  'moved: to a free time or person, its old time is free, nobody is told; history and audit know',
  async () => {
    const people = [await bookable.resource(), await bookable.resource()].toSorted()
    const room = await bookable.resource('room')
    const serviceId = await bookable.service([
      ...people.map((id) => ({ id, role: 'barber' })),
      { id: room, role: 'room' },
    ])
    const startsAt = aTime()
    const made = booked(await bookable.book({ serviceId, startsAt, resourceId: people[0]! }))
    await world.service.processAll()
    const before = await raised()
    const next = later(startsAt, HOUR_MS)
    const moved = await act(made.id, 'move', { startsAt: next })
    expect(moved.body).toMatchObject({ startsAt: next.toISOString(), version: 2, warnings: [] })
    // By five minutes it meets only itself.
    const byFive = later(next, 5 * MINUTE_MS)
    expect((await act(made.id, 'move', { startsAt: byFive })).body).toMatchObject({ version: 3 })
    const toOther = await act(made.id, 'move', { startsAt: byFive, resourceId: people[1] })
    expect(toOther.body.resources.map(({ id }) => id)).toEqual([people[1], room])
    expect((await act(made.id, 'move', { startsAt: byFive })).body).toMatchObject({ version: 4 })

    const second = booked(await bookable.book({ serviceId, startsAt }))
    const taken = await act(made.id, 'move', { startsAt })
    expect([taken.status, taken.body]).toMatchObject([409, { code: 'slot_taken' }])
    expect(await raised()).toEqual([...before, 'appointment.booked'])
    const { body } = await agent.ask<AppointmentDetail>('GET', `${at}/${made.id}`)
    expect(body.history.map(({ kind, by }) => [kind, by.kind])).toEqual([
      ['booked', 'customer'],
      ['moved', 'member'],
      ['moved', 'member'],
      ['moved', 'member'],
    ])
    expect(body.history[1]).toMatchObject({
      by: { person: { id: agent.personId } },
      data: { from: startsAt.toISOString(), to: next.toISOString() },
    })
    await act(second.id, 'cancel')
    const gone = await act(second.id, 'move', { startsAt: later(startsAt, 3 * HOUR_MS) })
    expect([gone.status, gone.body]).toMatchObject([409, { reason: 'appointment_cancelled' }])
    const owner = await signedIn(world, { accountId: shop.accountId })
    const audit = await owner.ask<Page<AuditView>>('GET', `/audit?companyId=${shop.companyId}`)
    const ofThese = audit.body.items.filter(({ action }) => action.startsWith('appointment.'))
    expect(ofThese.map(({ action }) => action)).toContain('appointment.moved')
    expect(ofThese.map(({ action }) => action)).toContain('appointment.cancelled')
  },
)

test('moved: it keeps its length and whom it has, off or needed no more, until somebody takes their place', async () => {
  const [sara, mona] = [await bookable.resource(), await bookable.resource()]
  const late = await bookable.resource('room')
  const serviceId = await bookable.service([{ id: sara }])
  const startsAt = aTime()
  const { body: made } = await add({ serviceId, startsAt })
  const { kysely } = world.database.db
  const off = kysely.updateTable('resource').set({ isOn: false })
  await off.where('id', 'in', [sara, late]).execute()
  await kysely.updateTable('service').set({ minutes: 60 }).where('id', '=', serviceId).execute()
  const room = { serviceId, resourceId: late, role: 'room', companyId: shop.companyId }
  await kysely.insertInto('serviceNeed').values(room).execute()
  const next = later(startsAt, HOUR_MS)
  const moved = await act(made.id, 'move', { startsAt: next })
  expect(moved.body).toMatchObject({
    resources: [{ id: sara }],
    endsAt: later(next, 30 * MINUTE_MS).toISOString(),
    warnings: [],
  })
  expect(moved.body.resources).toHaveLength(1)

  await kysely.deleteFrom('serviceNeed').where('serviceId', '=', serviceId).execute()
  const other = { serviceId, resourceId: mona, role: 'colour', companyId: shop.companyId }
  await kysely.insertInto('serviceNeed').values(other).execute()
  const night = later(startsAt, 12 * HOUR_MS)
  const stays = await act(made.id, 'move', { startsAt: night })
  expect(stays.body).toMatchObject({ warnings: [{ code: 'outside_opening_hours' }] })
  expect(stays.body.resources.map(({ id }) => id)).toEqual([sara])
  const given = await act(made.id, 'move', { startsAt: next, resourceId: mona })
  expect(given.body.resources.map(({ id }) => id)).toEqual([mona])
})

systemTest(
  'after its start it is said to have taken place or not, one way and back; before, and of a cancelled one, not',
  async () => {
    const serviceId = await bookable.service([{ id: await bookable.resource() }])
    const startsAt = aTime()
    const { body: made } = await add({ serviceId, startsAt })
    const early = await act(made.id, 'complete')
    expect([early.status, early.body]).toMatchObject([409, { reason: 'appointment_not_begun' }])
    world.clock.moveTo(startsAt.toISOString())
    agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const before = await raised()
    expect((await act(made.id, 'complete')).body).toMatchObject({ status: 'completed' })
    expect((await act(made.id, 'no-show')).body).toMatchObject({ status: 'no_show' })
    expect((await act(made.id, 'no-show')).body).toMatchObject({ status: 'no_show' })
    expect((await act(made.id, 'complete')).body).toMatchObject({ status: 'completed' })
    const { body: shown } = await agent.ask<AppointmentDetail>('GET', `${at}/${made.id}`)
    expect(shown.history.slice(1)).toMatchObject(
      ['completed', 'no_show', 'completed'].map((kind) => ({
        kind,
        by: { kind: 'member', person: { id: agent.personId } },
      })),
    )
    expect(await auditedOf(made.id)).toEqual([
      'appointment.booked',
      'appointment.completed',
      'appointment.no_show',
      'appointment.completed',
    ])
    const late = await act(made.id, 'cancel', { reason: 'mistake' })
    expect([late.status, late.body]).toMatchObject([409, { reason: 'appointment_over' }])
    const moved = await act(made.id, 'move', { startsAt: later(startsAt, HOUR_MS) })
    expect([moved.status, moved.body]).toMatchObject([409, { reason: 'appointment_over' }])
    expect(await raised()).toEqual(before)

    const { body: other } = await add({ serviceId, startsAt: later(startsAt, HOUR_MS) })
    const cancelled = await act(other.id, 'cancel', { reason: 'Closed' })
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      cancellationReason: 'Closed',
      cancelledBy: 'member',
    })
    expect((await act(other.id, 'cancel', { reason: 'Again' })).body).toEqual(cancelled.body)
    expect(await auditedOf(other.id)).toEqual(['appointment.booked', 'appointment.cancelled'])
    expect((await act(other.id, 'complete')).body).toMatchObject({
      reason: 'appointment_cancelled',
    })
    expect(await raised()).toEqual([...before, 'appointment.cancelled'])
  },
)

systemTest(
  'listed by their start, of a person, a status or a contact, page by page; others see nothing',
  async () => {
    const [one, two] = [await bookable.resource(), await bookable.resource()]
    const serviceId = await bookable.service([{ id: one }])
    const other = await bookable.service([{ id: two }])
    const startsAt = aTime()
    const made: AppointmentView[] = []
    for (let hour = 0; hour < 5; hour += 1) {
      const input = { serviceId, startsAt: later(startsAt, hour * HOUR_MS) }
      made.push((await add(input)).body)
    }
    await add({ serviceId: other, startsAt })
    await act(made[1]!.id, 'cancel')
    const list = async (query: string) =>
      (await agent.ask<Page<AppointmentView>>('GET', `${at}?${query}`)).body
    const range = `from=${startsAt.toISOString()}&to=${later(startsAt, DAY_MS).toISOString()}`
    const ids = async (query: string) => (await list(`${range}&${query}`)).items.map(({ id }) => id)
    expect(await ids('')).toHaveLength(6)
    expect(await ids(`resourceId=${one}`)).toEqual(made.map(({ id }) => id))
    expect(await ids('status=cancelled')).toEqual([made[1]!.id])
    const until = `from=${startsAt.toISOString()}&to=${made[4]!.startsAt}&resourceId=${one}`
    expect((await list(until)).items.map(({ id }) => id)).toEqual(
      made.slice(0, 4).map(({ id }) => id),
    )
    const seen: string[][] = []
    let cursor: string | null = ''
    for (let page = 0; page < 4 && cursor !== null; page += 1) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { items, nextCursor } = await list(`${range}&resourceId=${one}&limit=2${after}`)
      seen.push(items.map(({ id }) => id))
      cursor = nextCursor
    }
    expect(seen.map((page) => page.length)).toEqual([2, 2, 1])
    expect(seen.flat()).toEqual(made.map(({ id }) => id))

    const neighbour = await createShop(world, { phoneNumberId: '306540352242922' })
    const stranger = await signedIn(world, { accountId: neighbour.accountId })
    const theirs = `/companies/${neighbour.companyId}/appointments`
    expect((await stranger.ask<Page<unknown>>('GET', theirs)).body.items).toEqual([])
    expect((await stranger.ask('GET', `${theirs}/${made[0]!.id}`)).status).toBe(404)
    for (const what of ['move', 'cancel', 'complete', 'no-show']) {
      const json = what === 'move' ? { startsAt } : {}
      expect((await stranger.ask('POST', `${theirs}/${made[0]!.id}/${what}`, json)).status).toBe(
        404,
      )
    }
  },
)

test('a service alone is listed, and a link of the customer’s page is made anew each time', async () => {
  const person = await bookable.resource()
  const serviceId = await bookable.service([{ id: person }])
  const otherId = await bookable.service([{ id: person }])
  const startsAt = aTime()
  const { body: one } = await add({ serviceId, startsAt })
  await add({ serviceId: otherId, startsAt: later(startsAt, HOUR_MS) })
  const listed = await agent.ask<Page<AppointmentView>>('GET', `${at}?serviceId=${serviceId}`)
  expect(listed.body.items.map(({ id }) => id)).toEqual([one.id])
  const first = await act<{ url: string }>(one.id, 'link')
  const second = await act<{ url: string }>(one.id, 'link')
  expect(first.status).toBe(201)
  expect(second.body.url).not.toBe(first.body.url)
  for (const { url } of [first.body, second.body]) {
    const page = await fetch(`${world.url}${new URL(url).pathname}`)
    expect(await page.text()).toContain(one.reference)
  }
  const stranger = await createShop(world, { phoneNumberId: '108888888888888' })
  const other = await signedIn(world, { accountId: stranger.accountId, role: 'owner' })
  const theirs = `/companies/${stranger.companyId}/appointments/${one.id}/link`
  expect((await other.ask('POST', theirs, {})).status).toBe(404)
})

test('a service can be deleted once what was booked of it is cancelled, or over', async () => {
  const startsAt = aTime()
  const booking = async () => {
    const serviceId = await bookable.service([{ id: await bookable.resource() }])
    const { body } = await add({ serviceId, startsAt })
    return { id: body.id, path: `/companies/${shop.companyId}/services/${serviceId}` }
  }
  const [cancelled, running] = [await booking(), await booking()]
  const gone = async ({ path }: { path: string }) => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    return (await owner.ask('DELETE', path)).status
  }
  expect(await gone(cancelled)).toBe(409)
  await act(cancelled.id, 'cancel')
  expect(await gone(cancelled)).toBe(204)
  world.clock.moveTo(later(startsAt, 29 * MINUTE_MS).toISOString())
  expect(await gone(running)).toBe(409)
  world.clock.moveTo(later(startsAt, 30 * MINUTE_MS).toISOString())
  expect(await gone(running)).toBe(204)
})
