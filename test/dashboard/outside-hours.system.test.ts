/** What a change of hours left outside of them is led to from its notice; what took place is put right. Spec: Appointments › Hours; reading A38. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { topWords } from '../../src/dashboard/app/words-top.ts'
import { appWords } from '../../src/dashboard/app/words.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { addBookingPage, type BookingPage } from '../support/booking-page.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

let world: World
let shop: Shop
let booking: BookingPage
let staff: Member
const NAME = '"><img src=x onerror=alert(1)>'

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  booking = await addBookingPage(world, { companyId: shop.companyId })
  staff = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
  await ask('POST', '/appointments', {
    key: 'key-of-a-member-0001',
    serviceId: booking.tastingId,
    // Tuesday at noon in Riyadh.
    startsAt: '2026-11-24T09:00:00Z',
    name: NAME,
  })
  await ask('POST', '/opening-changes', {
    firstDay: '2026-11-24',
    lastDay: '2026-11-24',
    hours: null,
  })
})
afterAll(async () => {
  await world.close()
})

async function ask(method: string, path: string, json: unknown): Promise<void> {
  const { status } = await staff.ask(method, `/companies/${shop.companyId}${path}`, json)
  expect(status).toBe(201)
}

test.each([{ language: 'en' }, { language: 'ar', width: 360, height: 740 }] as const)(
  'the notice leads to the whole list: $language',
  async (look) => {
    const { page, go, faults, close } = await openDashboard(world, { ...shop, ...look })
    const say = spokenIn(look.language)
    await go()
    await page.getByRole('button', { name: say(topWords, 'unread_notices', { n: 1 }) }).click()
    const notices = page.getByRole('dialog')
    await notices.getByRole('link').first().click()
    await page.waitForURL('**/appointments/outside-hours')
    await page.getByRole('heading', { name: say(appointmentsWords, 'outside') }).waitFor()
    await page.getByText(/12:00/).first().waitFor()
    await page.getByText('Sara').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('link', { name: NAME }).first().click()
    await page.waitForURL(/appointments\/[-0-9a-f]{36}$/)
    await go('appointments?date=2026-11-24')
    await page.getByText(say(appointmentsWords, 'outside_n', { n: 1 })).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  },
)

test('an Agent who comes by a link is told whom to ask', async () => {
  const { page, go, close } = await openDashboard(world, { ...shop, role: 'agent' })
  await go('appointments/outside-hours')
  await page.getByText(appWords.en.not_yours).waitFor()
  expect(await page.getByText(NAME).count()).toBe(0)
  await close()
})

test('that it took place is put right to a no-show, and back; a cancelled one stays', async () => {
  world.clock.advance(4 * DAY_MS)
  const { page, go, close } = await openDashboard(world, { ...shop, role: 'agent' })
  await go('appointments?date=2026-11-24&view=list')
  await page.getByRole('link', { name: NAME }).first().click()
  const panel = page.getByRole('complementary', { name: 'Appointment' })
  const act = (name: string) => panel.getByRole('button', { name, exact: true })
  await act('Completed').click()
  await act('No-show').click()
  await act('Completed').waitFor()
  await act('Completed').click()
  await act('No-show').waitFor()
  await panel.getByText('Nobody came').first().waitFor()
  expect(await act('Cancel…').count()).toBe(0)
  await close()
})
