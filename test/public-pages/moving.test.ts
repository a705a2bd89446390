/** A customer moves their appointment on their own page. Spec: Public pages › One appointment; Appointments › Moving. */
import { expect, test } from 'vitest'
import type { AppointmentEntryView } from '../../src/contract/dashboard/appointment.ts'
import { moveByCustomer } from '../../src/modules/appointments/move-by-customer.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { bookableShop, booked, requestOf } from '../support/bookable.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { newAddress } from './booking-form.ts'
import { itemsOf, signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { getPage, linkTo, readText } from '../support/pages.ts'
import { appointmentsOf, putBookingPage, putServices } from '../support/records/appointments.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { createOwnShop, createShop } from '../support/shop.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8', databasePool: '8' })
const shop = await createShop(world)
const page = await addBookingPage(world, shop)
const { companyId } = shop
const { book } = await bookableShop(world, (await createOwnShop(world)).companyId)

type Booked = { id: string; url: string }
/** Books the workshop with a person, at a time in November and December 2026. */
async function workshop(at: string, personId: string | null = null): Promise<Booked> {
  const wanted = { serviceId: page.workshopId, startsAt: new Date(at), resourceId: personId }
  const made = booked(await book({ ...requestOf(companyId), ...wanted }))
  return { id: made.id, url: `${world.url}/a/${made.token}` }
}
const moveTo = ({ url }: Booked, at: string, from = newAddress()) =>
  getPage(`${url}/move?at=${encodeURIComponent(at)}`, { form: '', headers: from })
const rowOf = async ({ id }: Booked) =>
  (await appointmentsOf(world, { companyId })).find((row) => row.id === id)!
const startOf = async (made: Booked) => (await rowOf(made)).startsAt.toISOString()

test('step by step: day, time, moved; the page, calendar and history show it, no event does', async () => {
  const made = await workshop('2026-11-24T14:30:00.000Z', page.saraId)
  const before = await eventTypesOf(world, { companyId })
  const shown = await getPage(`${made.url}?lang=en`)
  expect(readText(shown.text)).toContain(
    'Reschedule Cancel appointment You can reschedule or cancel here until Tuesday 24 November, 14:30.',
  )
  const days = await getPage(linkTo(made.url, shown, 'Reschedule'))
  expect(readText(days.text)).toContain('It’s currently on Tuesday 24 November, 17:30.')
  const day = await getPage(linkTo(`${made.url}/move`, days, 'Wed 25'))
  const url = linkTo(`${made.url}/move`, day, '11:30')
  const asked = await getPage(url)
  expect(readText(asked.text)).toContain('Reschedule to Wednesday at 11:30')
  const sent = await getPage(url, { form: '', headers: newAddress() })
  expect(sent.status).toBe(303)
  const done = await getPage(new URL(sent.headers.location!, world.url).href)
  expect(readText(done.text)).toContain(
    'Your appointment has been rescheduled Service Espresso workshop When Wednesday 25 November, 11:30 to 13:00, Riyadh time With Sara',
  )
  const { text: calendar } = await getPage(`${made.url}/appointment.ics`)
  expect(calendar).toMatch(/SEQUENCE:2\r\nDTSTART:20261125T083000Z\r\nDTEND:20261125T100000Z/)
  expect(await eventTypesOf(world, { companyId })).toEqual(before)
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const path = `/companies/${companyId}/appointments/${made.id}/history`
  const history = await itemsOf<AppointmentEntryView>(agent, path)
  expect(history.map(({ kind, by }) => [kind, by.kind])).toEqual([
    ['booked', 'customer'],
    ['moved', 'customer'],
  ])
  // Sent again it stays, and its former time is free.
  expect((await getPage(url, { form: '', headers: newAddress() })).status).toBe(303)
  expect(await rowOf(made)).toMatchObject({ version: 2 })
  await workshop('2026-11-24T14:30:00.000Z', page.saraId)
})

test('only an offered time is accepted: within the hours and the notice, with its people, and free', async () => {
  const made = await workshop('2026-11-26T07:00:00.000Z', page.saraId)
  await workshop('2026-11-26T08:30:00.000Z', page.saraId)
  const day = await getPage(`${made.url}/move?lang=en&day=2026-11-26`)
  const times = /Riyadh time ([\d: ]+)/.exec(readText(day.text))![1]!.trim()
  expect(times).toBe('13:00 14:30 16:00 17:30')
  for (const at of [
    '2026-11-26T08:30:00.000Z',
    '2026-11-26T07:10:00.000Z',
    '2026-11-27T07:00:00.000Z',
    '2026-11-01T07:00:00.000Z',
    '2030-11-26T07:00:00.000Z',
  ]) {
    const answer = await moveTo(made, at)
    expect([at, answer.status]).toEqual([at, 409])
    expect(readText(answer.text)).toMatch(/تم|هذا الوقت|just been taken/)
  }
  expect(await startOf(made)).toBe('2026-11-26T07:00:00.000Z')
})

test('one of many customers who want a time gets it, whether they book or move', async () => {
  const at = '2026-12-01T11:30:00.000Z'
  const [one, other] = [
    await workshop('2026-12-01T07:00:00.000Z', page.omarId),
    await workshop('2026-12-01T08:30:00.000Z', page.omarId),
  ]
  const third = workshop(at, page.omarId).then(
    () => 303,
    () => 409,
  )
  const outcomes = await Promise.all([
    moveTo(one, at).then(({ status }) => status),
    moveTo(other, at).then(({ status }) => status),
    third,
  ])
  expect(outcomes.toSorted((a, b) => a - b)).toEqual([303, 409, 409])
})

test('it is moved by its own link from the service’s page, while it can be cancelled and the page is on', async () => {
  const made = await workshop('2026-12-02T07:00:00.000Z')
  const at = '2026-12-03T07:00:00.000Z'
  const foreign = { ...newAddress(), origin: 'https://evil.example' }
  expect((await moveTo(made, at, foreign)).status).toBe(403)
  expect((await getPage(`${made.url.slice(0, -1)}x/move?at=${at}`, { form: '' })).status).toBe(404)
  await putBookingPage(world, { companyId }, { isOn: false })
  expect(readText((await getPage(`${made.url}?lang=en`)).text)).not.toContain('Reschedule')
  expect((await moveTo(made, at)).status).toBe(303)
  await putBookingPage(world, { companyId }, { isOn: true })
  await putServices(world, { id: page.workshopId }, { isOn: false })
  expect((await moveTo(made, at)).status).toBe(409)
  await putServices(world, { id: page.workshopId }, { isOn: true })
  expect(await startOf(made)).toBe('2026-12-02T07:00:00.000Z')

  const owned = { companyId: (await createOwnShop(world)).companyId, appointmentId: made.id }
  const asked = { ...owned, startsAt: new Date(at) }
  await expect(moveByCustomer(world.service.context, asked)).rejects.toMatchObject({
    code: 'not_found',
  })

  world.clock.moveTo(new Date(Date.parse('2026-12-02T07:00:00.000Z') - 2 * HOUR_MS).toISOString())
  expect((await moveTo(made, at)).status).toBe(303)
  const late = await getPage(`${made.url}?lang=en`)
  expect(readText(late.text)).toContain('It’s too late to reschedule or cancel online.')
  expect(await startOf(made)).toBe('2026-12-02T07:00:00.000Z')
})

test('an address moves as often in an hour as it books', async () => {
  const made = await workshop('2026-12-13T07:00:00.000Z', page.saraId)
  const from = newAddress()
  const times = ['2026-12-13T08:30:00.000Z', '2026-12-13T10:00:00.000Z']
  for (let nth = 0; nth < 10; nth += 1) {
    expect((await moveTo(made, times[nth % 2]!, from)).status).toBe(303)
  }
  const refused = await moveTo(made, times[0]!, from)
  expect(refused.status).toBe(429)
  expect(await startOf(made)).toBe(times[1])
})
