/** A customer's choice becomes unavailable before they send the form. Spec: Public pages › Booking; reading P6. */
import { expect, test } from 'vitest'
import { appointmentsOf, putResources, putServices } from '../support/records/appointments.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { getPage, readText } from '../support/pages.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const shop = await createShop(world)
const page = await addBookingPage(world, shop)

const AT = '2026-11-24T07:00:00.000Z'
const PHONE = '+966506000001'
const headers = { 'accept-language': 'en' }

test('a customer gets no other service or person than they asked for, when that one goes meanwhile', async () => {
  const query = new URLSearchParams({ service: page.workshopId, at: AT, with: page.omarId })
  const url = `${page.url}?${query.toString()}`
  const form = { key: 'a-form-of-ours-'.repeat(2), name: 'Maha', phone: PHONE }
  const lost = 'What you chose is no longer available.'

  await putServices(world, { id: page.workshopId }, { isOn: false })
  const service = await getPage(url, { form, headers })
  expect([service.status, readText(service.text)]).toEqual([409, expect.stringContaining(lost)])
  expect(service.text).not.toContain('<form')
  expect(readText((await getPage(url, { headers })).text)).toContain(lost)
  await putServices(world, { id: page.workshopId }, { isOn: true })

  const nothing = await getPage(page.url, { form, headers })
  expect([nothing.status, readText(nothing.text)]).toEqual([
    409,
    expect.stringContaining('Choose a service'),
  ])

  await putResources(world, { id: page.omarId }, { isOn: false })
  const person = await getPage(url, { form, headers })
  expect([person.status, readText(person.text)]).toEqual([409, expect.stringContaining(lost)])
  expect(await appointmentsOf(world, { companyId: shop.companyId })).toEqual([])
  // The typed values stay, and the form can go to any available person, if the customer wants that.
  expect(person.text).toContain('value="Maha"')
  const action = /<form method="post" action="([^"]+)"/.exec(person.text)![1]!
  const anyone = new URL(action.replaceAll('&amp;', '&'), url).href
  expect((await getPage(anyone, { form, headers })).status).toBe(303)
})
