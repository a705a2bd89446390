/** Members make, move, cancel and close appointments, over the dashboard's API. */
import { expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type {
  AppointmentEntryView,
  AppointmentView,
  ArrangedAppointment,
} from '../../src/contract/dashboard/appointment.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop, booked, later } from '../support/bookable.ts'
import { signedIn, type Member, itemsOf, walkPages } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { auditLog } from '../support/records/audit.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let agent: Member
let key = 0
const world = await openWorld()
const { shop, owner } = await ownedShop(world)
const { companyId, accountId } = shop
const bookable = await bookableShop(world, companyId)
const { aTime } = bookable
agent = await signedIn(world, { accountId, role: 'agent' })
const at = `/companies/${companyId}/appointments`

const add = (input: object) => {
  key += 1
  const named = { key: `key-of-a-member-${key}`, name: 'Sara' }
  return agent.ask<ArrangedAppointment>('POST', at, { ...named, ...input })
}
const act = <Body = ArrangedAppointment>(id: string, what: string, json: object = {}) =>
  agent.ask<Body>('POST', `${at}/${id}/${what}`, json)
const move = (id: string, startsAt: Date, resourceId?: string) =>
  act(id, 'move', { startsAt, resourceId })
const historyOf = (id: string) =>
  walkPages<AppointmentEntryView>(agent, `${at}/${id}/history`, { limit: '2' })
const auditedOf = async (subjectId: string) =>
  (await auditLog(world, { subjectId })).map(({ action }) => action)
const raised = () => eventTypesOf(world, { companyId }, 'appointment.')
/** Creates another company, whose API gets the same requests. */
async function neighbour() {
  const other = await ownedShop(world)
  const there = `/companies/${other.shop.companyId}/appointments`
  return { ...other, there }
}
const refusedBy = (reason: string) => ({ status: 409, body: { reason } })

test("a member's appointment raises no booking event, only one for a new contact, and is made once per key", async () => {
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
  const contactId = made.body.contact!.id
  const path = `/companies/${companyId}/contacts/${contactId}`
  const contact = await agent.ask<ContactView>('GET', path)
  expect(contact.body).toMatchObject({ source: 'member', phone: '+966551000001' })

  const other = await neighbour()
  const theirService = await (await bookableShop(world, other.shop.companyId)).ownService()
  const same = { ...input, name: 'Omar', serviceId: theirService }
  const theirs = await other.owner.ask<ArrangedAppointment>('POST', other.there, same)
  expect(theirs).toMatchObject({ status: 201, body: { customerName: 'Omar' } })

  const again = await add({ serviceId, startsAt: aTime(), phone: '00966551000001' })
  expect(again.body.contact!.id).toBe(contactId)
  const named = await add({ serviceId, startsAt: aTime(), name: 'Nobody' })
  expect(named.body).toMatchObject({ contact: null, customerName: 'Nobody' })
  const known = await add({ serviceId, startsAt: aTime(), name: undefined, contactId })
  expect(known.body).toMatchObject({ customerName: 'Sara', phone: '+966551000001' })
})

test("a new customer's number gets the country that the member chose, and has no contact without one", async () => {
  await bookable.resource()
  const serviceId = await bookable.ownService()
  const raw = await add({ serviceId, startsAt: aTime(), phone: '055 100 0003' })
  expect(raw.body).toMatchObject({ phone: null, rawPhone: '0551000003' })
  const said = await add({ serviceId, startsAt: aTime(), phone: '055 100 0003', country: 'SA' })
  expect(said.body).toMatchObject({ phone: '+966551000003', rawPhone: null })
  expect(said.body.contact!.id).not.toBe(raw.body.contact?.id)
  const other = await add({ serviceId, startsAt: aTime(), phone: '055 100 0003', country: 'AE' })
  expect(other.body).toMatchObject({ phone: '+971551000003' })
  const wrong = await add({ serviceId, startsAt: aTime(), phone: '055 100 0003', country: 'XX' })
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'country' }] } })
})

test('a booking over another is refused, and one outside the hours succeeds with a warning', async () => {
  const people = [await bookable.resource(), await bookable.resource()].toSorted()
  const serviceId = await bookable.service(people.map((id) => ({ id })))
  const startsAt = aTime()
  booked(await bookable.book({ serviceId, startsAt, resourceId: people[0]! }))
  const soon = later(startsAt, 5 * MINUTE_MS)
  const over = await add({ serviceId, startsAt: soon, resourceId: people[0] })
  const taken = { code: 'slot_taken', reason: 'slot_not_free' }
  expect(over).toMatchObject({ status: 409, body: taken })
  const anyone = await add({ serviceId, startsAt: soon })
  expect(anyone.body.resources[0]!.id).toBe(people[1])
  expect((await add({ serviceId, startsAt })).body).toMatchObject({ code: 'slot_taken' })

  const night = await add({ serviceId, startsAt: later(startsAt, 12 * HOUR_MS) })
  expect(night.status).toBe(201)
  expect(night.body.warnings).toMatchObject([{ code: 'outside_opening_hours' }])
})

test('a wrong value is refused with its field named', async () => {
  const resource = await bookable.resource()
  const serviceId = await bookable.service([{ id: resource }])
  const startsAt = aTime()
  const unknown = world.service.context.ids.uuid()
  const why = async (input: object) => {
    const { status, body } = await agent.ask('POST', at, { key: 'key-of-a-member-x', ...input })
    expect(status).toBe(422)
    return body.errors!.map(({ field, code }) => `${field} ${code}`)
  }
  const input = { serviceId, startsAt, name: 'S' }
  for (const [change, wrong] of [
    [{ name: undefined }, 'name booking_nameless'],
    [{ serviceId: unknown }, 'serviceId unknown_service'],
    [{ resourceId: unknown }, 'resourceId resource_not_of_service'],
    [{ name: undefined, contactId: unknown }, 'contactId unknown_contact'],
    [{ startsAt: '2036-01-01T00:00:00Z' }, 'startsAt appointment_too_far'],
    [{ startsAt: '2020-01-01T00:00:00Z' }, 'startsAt appointment_too_far'],
  ] as const) {
    expect(await why({ ...input, ...change })).toEqual([wrong])
  }
  const { body: made } = await add({ serviceId, startsAt })
  const moved = await move(made.id, new Date('2036-01-01T00:00:00Z'))
  expect(moved).toMatchObject({ status: 422, body: { errors: [{ field: 'startsAt' }] } })
})

test('an appointment that stays at its time gets a resource that its service has needed since', async () => {
  const person = await bookable.resource()
  const serviceId = await bookable.service([{ id: person, role: 'barber' }])
  const startsAt = aTime()
  const { body: made } = await add({ serviceId, startsAt })
  const room = await bookable.resource('room')
  const needs = [
    { resourceId: person, role: 'barber' },
    { resourceId: room, role: 'room' },
  ]
  await owner.ask('PATCH', `/companies/${companyId}/services/${serviceId}`, { needs })
  const moved = await move(made.id, startsAt, room)
  expect(moved.body.resources.map(({ id }) => id).toSorted()).toEqual([person, room].toSorted())
  expect(moved.body.version).toBe(2)
})

systemTest(
  "an appointment's own time counts as free for a member who moves it, and for no other",
  async () => {
    const serviceId = await bookable.ownService({ minutes: 60, stepMin: 15 })
    const startsAt = aTime()
    const made = booked(await bookable.book({ serviceId, startsAt }))
    const offered = async (more = '') => {
      const from = later(startsAt, -HOUR_MS).toISOString()
      const query = `serviceId=${serviceId}&from=${from}&to=${later(startsAt, HOUR_MS).toISOString()}`
      const path = `/companies/${companyId}/slots?${query}${more}`
      const answer = await agent.ask<{ items: { startsAt: string }[] }>('GET', path)
      return {
        status: answer.status,
        starts: (answer.body.items ?? []).map((slot) => slot.startsAt),
      }
    }
    const byQuarter = later(startsAt, 15 * MINUTE_MS).toISOString()
    expect((await offered()).starts).not.toContain(byQuarter)
    expect((await offered(`&movedId=${made.id}`)).starts).toContain(byQuarter)
    const { shop: other, owner: theirs } = await ownedShop(world)
    const elsewhere = await bookableShop(world, other.companyId)
    const strange = booked(
      await elsewhere.book({ serviceId: await elsewhere.ownService(), startsAt }),
    )
    expect(
      (await theirs.ask('GET', `/companies/${other.companyId}/appointments/${strange.id}`)).status,
    ).toBe(200)
    expect((await offered(`&movedId=${strange.id}`)).status).toBe(404)
  },
)

systemDescribe('A booked appointment', () => {
  test('is moved to a free time or person without an event, and its history and the audit show it', async () => {
    const people = [await bookable.resource(), await bookable.resource()].toSorted()
    const room = await bookable.resource('room')
    const barbers = people.map((id) => ({ id, role: 'barber' }))
    const serviceId = await bookable.service([...barbers, { id: room, role: 'room' }])
    const startsAt = aTime()
    const made = booked(await bookable.book({ serviceId, startsAt, resourceId: people[0]! }))
    await world.service.processAll()
    const before = await raised()
    const next = later(startsAt, HOUR_MS)
    const moved = { startsAt: next.toISOString(), version: 2, warnings: [] }
    expect((await move(made.id, next)).body).toMatchObject(moved)
    // A move by five minutes overlaps only the appointment being moved.
    const byFive = later(next, 5 * MINUTE_MS)
    expect((await move(made.id, byFive)).body).toMatchObject({ version: 3 })
    const toOther = await move(made.id, byFive, people[1])
    expect(toOther.body.resources.map(({ id }) => id)).toEqual([people[1], room])
    expect((await move(made.id, byFive)).body).toMatchObject({ version: 4 })

    const second = booked(await bookable.book({ serviceId, startsAt }))
    const taken = { status: 409, body: { code: 'slot_taken' } }
    expect(await move(made.id, startsAt)).toMatchObject(taken)
    expect(await raised()).toEqual([...before, 'appointment.booked'])
    const history = await historyOf(made.id)
    const kinds = history.map(({ kind, by }) => `${kind} by ${by.kind}`)
    expect(kinds).toEqual(['booked by customer', ...Array(3).fill('moved by member')])
    expect(history[1]).toMatchObject({
      by: { person: { id: agent.personId } },
      data: { from: startsAt.toISOString(), to: next.toISOString() },
    })
    await act(second.id, 'cancel')
    const gone = await move(second.id, later(startsAt, 3 * HOUR_MS))
    expect(gone).toMatchObject(refusedBy('appointment_cancelled'))
    const audit = await itemsOf<AuditView>(owner, `/audit?companyId=${companyId}`)
    const actions = audit.map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['appointment.moved', 'appointment.cancelled']))
  })

  test('is listed by start, person, status or contact, page by page, and other companies see nothing', async () => {
    const [one, two] = [await bookable.resource(), await bookable.resource()]
    const serviceId = await bookable.service([{ id: one }])
    const other = await bookable.service([{ id: two }])
    const startsAt = aTime()
    const made: AppointmentView[] = []
    for (let hour = 0; hour < 5; hour += 1) {
      made.push((await add({ serviceId, startsAt: later(startsAt, hour * HOUR_MS) })).body)
    }
    const all = made.map(({ id }) => id)
    await add({ serviceId: other, startsAt })
    await act(all[1]!, 'cancel')
    const list = async (query: string) =>
      (await agent.ask<Page<AppointmentView>>('GET', `${at}?${query}`)).body
    const from = `from=${startsAt.toISOString()}`
    const range = `${from}&to=${later(startsAt, DAY_MS).toISOString()}`
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id)
    expect(await ids(range)).toHaveLength(6)
    expect(await ids(`${range}&resourceId=${one}`)).toEqual(all)
    expect(await ids(`${range}&status=cancelled`)).toEqual([all[1]])
    expect(await ids(`${from}&to=${made[4]!.startsAt}&resourceId=${one}`)).toEqual(all.slice(0, 4))
    const pages = { from: startsAt.toISOString(), resourceId: one, limit: '2' }
    const walked = await walkPages<AppointmentView>(agent, at, pages)
    expect(walked.map(({ id }) => id)).toEqual(all)

    const { owner: stranger, there } = await neighbour()
    expect(await itemsOf<unknown>(stranger, there)).toEqual([])
    expect((await stranger.ask('GET', `${there}/${all[0]}`)).status).toBe(404)
    for (const what of ['move', 'cancel', 'complete', 'no-show', 'link']) {
      const json = what === 'move' ? { startsAt } : {}
      const asked = await stranger.ask('POST', `${there}/${all[0]}/${what}`, json)
      expect([what, asked.status]).toEqual([what, 404])
    }
  })
})

systemTest(
  'a moved appointment keeps its length, and its resources until others replace them',
  async () => {
    const [sara, mona] = [await bookable.resource(), await bookable.resource()]
    const late = await bookable.resource('room')
    const serviceId = await bookable.service([{ id: sara }])
    const startsAt = aTime()
    const { body: made } = await add({ serviceId, startsAt })
    for (const id of [sara, late]) {
      await owner.ask('PATCH', `/companies/${companyId}/resources/${id}`, { isOn: false })
    }
    const needs = (...needed: object[]) =>
      owner.ask('PATCH', `/companies/${companyId}/services/${serviceId}`, {
        minutes: 60,
        needs: needed,
      })
    await needs({ resourceId: sara }, { resourceId: late, role: 'room' })
    const next = later(startsAt, HOUR_MS)
    const moved = await move(made.id, next)
    expect(moved.body.resources.map(({ id }) => id)).toEqual([sara])
    const endsAt = later(next, 30 * MINUTE_MS).toISOString()
    expect(moved.body).toMatchObject({ endsAt, warnings: [] })

    await needs({ resourceId: mona, role: 'colour' })
    const stays = await move(made.id, later(startsAt, 12 * HOUR_MS))
    expect(stays.body).toMatchObject({ warnings: [{ code: 'outside_opening_hours' }] })
    expect(stays.body.resources.map(({ id }) => id)).toEqual([sara])
    const given = await move(made.id, next, mona)
    expect(given.body.resources.map(({ id }) => id)).toEqual([mona])
  },
)

systemTest('is completed or a no-show only after its start, and never once cancelled', async () => {
  const serviceId = await bookable.ownService()
  const startsAt = aTime()
  const { body: made } = await add({ serviceId, startsAt })
  expect(await act(made.id, 'complete')).toMatchObject(refusedBy('appointment_not_begun'))
  world.clock.moveTo(startsAt.toISOString())
  agent = await signedIn(world, { accountId, role: 'agent' })
  const before = await raised()
  // The outcome can be set, repeated and changed.
  for (const [what, status] of [
    ['complete', 'completed'],
    ['no-show', 'no_show'],
    ['no-show', 'no_show'],
    ['complete', 'completed'],
  ] as const) {
    expect((await act(made.id, what)).body).toMatchObject({ status })
  }
  const kinds = ['completed', 'no_show', 'completed']
  const by = { kind: 'member', person: { id: agent.personId } }
  const history = (await historyOf(made.id)).slice(1)
  expect(history).toMatchObject(kinds.map((kind) => ({ kind, by })))
  const audited = ['booked', ...kinds].map((kind) => `appointment.${kind}`)
  expect(await auditedOf(made.id)).toEqual(audited)
  const late = await act(made.id, 'cancel', { reason: 'mistake' })
  expect(late).toMatchObject(refusedBy('appointment_over'))
  const moved = await move(made.id, later(startsAt, HOUR_MS))
  expect(moved).toMatchObject(refusedBy('appointment_over'))
  expect(await raised()).toEqual(before)

  const { body: other } = await add({ serviceId, startsAt: later(startsAt, HOUR_MS) })
  const cancelled = await act(other.id, 'cancel', { reason: 'Closed' })
  const closed = { status: 'cancelled', cancellationReason: 'Closed', cancelledBy: 'member' }
  expect(cancelled.body).toMatchObject(closed)
  expect((await act(other.id, 'cancel', { reason: 'Again' })).body).toEqual(cancelled.body)
  expect(await auditedOf(other.id)).toEqual(['appointment.booked', 'appointment.cancelled'])
  expect(await act(other.id, 'complete')).toMatchObject(refusedBy('appointment_cancelled'))
  expect(await raised()).toEqual([...before, 'appointment.cancelled'])
})

systemTest('can be listed by service, and each link to the customer’s page is new', async () => {
  const person = await bookable.resource()
  const serviceId = await bookable.service([{ id: person }])
  const otherId = await bookable.service([{ id: person }])
  const startsAt = aTime()
  const { body: one } = await add({ serviceId, startsAt })
  await add({ serviceId: otherId, startsAt: later(startsAt, HOUR_MS) })
  const listed = await itemsOf<AppointmentView>(agent, `${at}?serviceId=${serviceId}`)
  expect(listed.map(({ id }) => id)).toEqual([one.id])
  const first = await act<{ url: string }>(one.id, 'link')
  const second = await act<{ url: string }>(one.id, 'link')
  expect(first.status).toBe(201)
  expect(second.body.url).not.toBe(first.body.url)
  for (const { url } of [first.body, second.body]) {
    const page = await fetch(`${world.url}${new URL(url).pathname}`)
    expect(await page.text()).toContain(one.reference)
  }
})

test('a service can be deleted once its appointments are cancelled or over', async () => {
  const startsAt = aTime()
  const booking = async () => {
    const serviceId = await bookable.ownService()
    const { body } = await add({ serviceId, startsAt })
    return { id: body.id, path: `/companies/${companyId}/services/${serviceId}` }
  }
  const [cancelled, running] = [await booking(), await booking()]
  const gone = async ({ path }: { path: string }) => {
    const member = await signedIn(world, { accountId })
    return (await member.ask('DELETE', path)).status
  }
  expect(await gone(cancelled)).toBe(409)
  await act(cancelled.id, 'cancel')
  expect(await gone(cancelled)).toBe(204)
  world.clock.moveTo(later(startsAt, 29 * MINUTE_MS).toISOString())
  expect(await gone(running)).toBe(409)
  world.clock.moveTo(later(startsAt, 30 * MINUTE_MS).toISOString())
  expect(await gone(running)).toBe(204)
})
