/** What a customer chose goes before they send the form. Spec: Public pages › Booking; reading P6. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBookingPage, type BookingPage } from '../support/booking-page.ts'
import { askPage, readText } from '../support/pages.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'

let world: World
let page: BookingPage
beforeAll(async () => {
  world = await createWorld()
  page = await addBookingPage(world, await createShop(world))
})
afterAll(() => world.close())

const AT = '2026-11-24T07:00:00.000Z'
const PHONE = '+966506000001'
const headers = { 'accept-language': 'en' }

test('nobody gets another service or person than they asked for, when that one goes meanwhile', async () => {
  const { kysely } = world.service.context.db
  const query = new URLSearchParams({ service: page.workshopId, at: AT, with: page.omarId })
  const url = `${page.url}?${query.toString()}`
  const form = { key: 'a-form-of-ours-'.repeat(2), name: 'Maha', phone: PHONE }
  const lost = 'What you chose is no longer offered.'
  const switchTo = async (isOn: boolean, table: 'service' | 'resource', id: string) => {
    await kysely.updateTable(table).set({ isOn }).where('id', '=', id).execute()
  }

  await switchTo(false, 'service', page.workshopId)
  const service = await askPage(url, { form, headers })
  expect([service.status, readText(service.text)]).toEqual([409, expect.stringContaining(lost)])
  expect(service.text).not.toContain('<form')
  expect(readText((await askPage(url, { headers })).text)).toContain(lost)
  await switchTo(true, 'service', page.workshopId)

  const nothing = await askPage(page.url, { form, headers })
  expect([nothing.status, readText(nothing.text)]).toEqual([
    409,
    expect.stringContaining('What can be booked'),
  ])

  await switchTo(false, 'resource', page.omarId)
  const person = await askPage(url, { form, headers })
  expect([person.status, readText(person.text)]).toEqual([409, expect.stringContaining(lost)])
  expect(await kysely.selectFrom('appointment').select('id').execute()).toEqual([])
  // What was typed stays, and goes to whoever is there, if the customer wants that.
  expect(person.text).toContain('value="Maha"')
  const action = /<form method="post" action="([^"]+)"/.exec(person.text)![1]!
  const anyone = new URL(action.replaceAll('&amp;', '&'), url).href
  expect((await askPage(anyone, { form, headers })).status).toBe(303)
  await switchTo(true, 'resource', page.omarId)
})
