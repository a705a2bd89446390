/** The calendar and the settings of booking, in a real browser. Spec: Appointments › Members. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookWords } from '../../src/dashboard/appointments/words-book.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { HOUR_MS } from '../../src/limits/units.ts'
import { addBookingPage, type BookingPage } from '../support/booking-page.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

let world: World
let shop: Shop
let booking: BookingPage
let staff: Member
let key = 0

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  key += 1
  shop = await createShop(world, {
    phoneNumberId: String(110_000_000_000_000 + key),
    businessAccountId: String(210_000_000_000_000 + key),
  })
  booking = await addBookingPage(world, { companyId: shop.companyId, slug: `shop-${key}` })
  staff = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

/** Tuesday 24 November at an hour of Riyadh. */
const tuesdayAt = (hour: number) => new Date(Date.UTC(2026, 10, 24) + (hour - 3) * HOUR_MS)

async function book(input: { startsAt: Date; name: string; serviceId?: string }): Promise<string> {
  key += 1
  const { body, status } = await staff.ask<{ id: string }>(
    'POST',
    `/companies/${shop.companyId}/appointments`,
    { key: `key-of-a-member-${key}`, serviceId: booking.tastingId, ...input },
  )
  expect(status).toBe(201)
  return body.id
}

async function show(id: string) {
  const { body } = await staff.ask<{
    startsAt: string
    status: string
    cancellationReason: string
  }>('GET', `/companies/${shop.companyId}/appointments/${id}`)
  return body
}

const LANGUAGES = ['en', 'ar'] as const
const week = 'appointments?date=2026-11-24'
const dialog = (page: Page) => page.getByRole('dialog')

test.each(LANGUAGES)(
  'booked by hand, moved by keyboard and by dragging, cancelled: %s',
  async (language) => {
    const { page, go, faults, close } = await open({ role: 'agent', language })
    const say = spokenIn(language)
    const arabic = language === 'ar'
    await go(week)
    await page.getByRole('button', { name: say(appointmentsWords, 'book') }).click()
    await dialog(page)
      .getByRole('combobox', { name: say(bookWords, 'service') })
      .click()
    await page.getByRole('option', { name: arabic ? /^(?:Tasting|تذوّق)/ : 'Tasting' }).click()
    await dialog(page).getByLabel(say(bookWords, 'day')).fill('2026-11-24')
    await dialog(page).getByRole('radio', { name: '11:30' }).check()
    await dialog(page).getByText(say(bookWords, 'new_customer')).click()
    await dialog(page).getByLabel(say(bookWords, 'name')).fill('Maha Rashid')
    expect(await findBarriers(page)).toEqual([])
    // Somebody else is faster: the next free times are told.
    await book({ startsAt: tuesdayAt(11.5), name: 'Faster' })
    const bookAt = (time: string) =>
      dialog(page)
        .getByRole('button', { name: say(bookWords, 'book_at') })
        .filter({ hasText: time })
    await bookAt('11:30').click()
    await dialog(page).getByText(say(bookWords, 'taken')).waitFor()
    await dialog(page).getByRole('button', { name: /13:00/ }).first().click()
    await bookAt('13:00').click()
    await dialog(page).waitFor({ state: 'hidden' })
    const panel = page.getByRole('complementary', { name: say(appointmentsWords, 'appointment') })
    await panel.getByText('Maha Rashid').waitFor()
    await panel.getByText(/13:00.*14:00/).waitFor()
    const id = new URL(page.url()).searchParams.get('open')!

    await panel.getByRole('button', { name: say(appointmentsWords, 'move') }).press('Enter')
    await dialog(page).getByRole('radio', { name: '14:30' }).press('Space')
    expect(await findBarriers(page)).toEqual([])
    await dialog(page)
      .getByRole('button', { name: say(bookWords, 'move_to') })
      .press('Enter')
    await dialog(page).waitFor({ state: 'hidden' })
    expect((await show(id)).startsAt).toBe(tuesdayAt(14.5).toISOString())

    const block = page.getByRole('link', { name: /14:30.*Maha Rashid/ })
    await block.scrollIntoViewIfNeeded()
    const from = (await block.boundingBox())!
    const day = page.getByRole('group', { name: arabic ? /الأربعاء/ : /Wednesday/ })
    const wednesday = (await day.boundingBox())!
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(wednesday.x + 30, from.y + 10 + 64, { steps: 4 })
    await page.mouse.up()
    await dialog(page)
      .getByRole('button', { name: say(bookWords, 'move_to') })
      .filter({ hasText: '15:30' })
      .click()
    await dialog(page).waitFor({ state: 'hidden' })
    expect((await show(id)).startsAt).toBe('2026-11-25T12:30:00.000Z')

    await panel.getByRole('button', { name: say(appointmentsWords, 'cancel') }).click()
    await dialog(page)
      .getByText(/appointment\.cancelled/)
      .waitFor()
    await dialog(page).getByLabel(say(bookWords, 'cancel_reason')).fill('The roaster is ill')
    expect(await findBarriers(page)).toEqual([])
    await dialog(page)
      .getByRole('button', { name: say(bookWords, 'cancel_act') })
      .click()
    await panel.getByText(say(appointmentsWords, 'cancelled')).first().waitFor()
    expect(await show(id)).toMatchObject({
      status: 'cancelled',
      cancellationReason: 'The roaster is ill',
    })
    expect(faults).toEqual([])
    await close()
  },
)

test('in Arabic: another view, a filter, and what is stored as a script is text', async () => {
  const script = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
  await book({ startsAt: tuesdayAt(12), name: script })
  const { page, go, close, faults } = await open({ language: 'ar' })
  await go(week)
  await page
    .getByRole('group', { name: /الجمعة/ })
    .getByText('مغلق')
    .waitFor()
  await page.getByText('قائمة', { exact: true }).click()
  await page.waitForURL('**view=list*')
  await page.getByRole('link', { name: script }).click()
  const panel = page.getByRole('complementary', { name: 'الموعد' })
  await panel.getByText(script).waitFor()
  await panel.getByRole('button', { name: 'إنشاء رابط' }).click()
  await panel.getByRole('link', { name: /\/a\/apt_/ }).waitFor()
  await page.getByRole('combobox', { name: 'الحالة' }).click()
  await page.getByRole('option', { name: 'ملغى' }).click()
  await page.getByText('لا شيء يطابق.').waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('hours are set, what is wrong stands at its field, and an Agent only reads', async () => {
  const { page, go, close } = await open()
  await go('appointments/set-up?tab=people')
  await page.getByRole('button', { name: 'Omar' }).click()
  const sunday = dialog(page).getByRole('group', { name: 'Sunday' })
  await sunday.getByLabel('To').fill('9:xx')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).getByText('1 thing to fix').waitFor()
  await sunday.getByLabel('To').fill('26:00')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).waitFor({ state: 'hidden' })
  const { body } = await staff.ask<{ items: { name: string; hours: object }[] }>(
    'GET',
    `/companies/${shop.companyId}/resources`,
  )
  const omar = body.items.find(({ name }) => name === 'Omar')
  expect(omar?.hours).toMatchObject({ sunday: [{ from: '10:00', to: '26:00' }] })
  await close()

  const agent = await open({ role: 'agent' })
  await agent.go('appointments/set-up')
  await agent.page.getByText('Only an Owner or Admin can change this.').waitFor()
  expect(await agent.page.getByRole('button', { name: 'Add a service' }).count()).toBe(0)
  await agent.close()
})

test('saving one field of the booking page leaves what others have written meanwhile', async () => {
  const { page, go, close, faults } = await open()
  await go('appointments/set-up?tab=page')
  const phone = page.getByLabel('Phone for customers')
  await phone.waitFor()
  const at = `/companies/${shop.companyId}/booking-page`
  expect((await staff.ask('PATCH', at, { intro: 'Coffee, slowly.' })).status).toBe(200)
  await phone.fill('+966 11 000 0000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Booking page saved').waitFor()
  expect((await staff.ask('GET', at)).body).toMatchObject({
    phone: '+966 11 000 0000',
    intro: 'Coffee, slowly.',
  })
  // What they have written is shown from then on.
  const intro = page.getByLabel('Introduction', { exact: true })
  await expect.poll(() => intro.inputValue()).toBe('Coffee, slowly.')
  expect(faults).toEqual([])
  await close()
})

test('an Agent makes a link for their own calendar, and is told where it belongs', async () => {
  const { page, go, close, faults } = await open({ role: 'agent' })
  await go('appointments')
  await page.getByRole('link', { name: 'Calendar links' }).click()
  await page.getByRole('button', { name: 'Make a calendar link' }).click()
  await dialog(page)
    .getByText(/Its place is your calendar alone/)
    .waitFor()
  expect(await dialog(page).locator('code').textContent()).toMatch(/^https?:/)
  expect(await dialog(page).getByText('never in a browser').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('the calendar is written in the digits that a person has chosen', async () => {
  await book({ startsAt: tuesdayAt(14), name: 'Maha Rashid' })
  const { page, go, close, faults, member } = await open({ language: 'ar' })
  const chosen = { language: 'ar', digits: 'arabic' }
  expect((await member.ask('PATCH', '/me', chosen)).status).toBe(200)
  await go(week)
  expect(await page.locator('main h1').innerText()).toMatch(/٢٢.*٢٨.*٢٠٢٦/)
  await page.getByRole('link', { name: /١٤:٠٠.*Maha Rashid/ }).waitFor()
  await page.getByRole('region').getByText('١١:٠٠').waitFor()
  expect(faults).toEqual([])
  await close()
})

test.each([
  { language: 'en', path: week },
  { language: 'ar', path: week, theme: 'dark' },
  { language: 'ar', path: week, width: 390 },
  { language: 'en', path: 'appointments/set-up?tab=page' },
  { language: 'ar', path: 'appointments/set-up?tab=people', width: 390 },
] as const)('axe finds nothing and nothing overflows: $path in $language', async (look) => {
  const id = await book({ startsAt: tuesdayAt(16), name: 'مها راشد' })
  const { page, go, close, faults } = await open(look)
  await go(look.path === week ? `${week}&open=${id}` : look.path)
  expect(await findBarriers(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  expect(faults).toEqual([])
  await close()
})
