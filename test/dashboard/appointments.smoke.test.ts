/** The calendar and the settings of booking, in a real browser. Spec: Appointments › Members. */
import { beforeEach, expect, test } from 'vitest'
import { appointmentStatusWords } from '../../src/core/words/appointment-status-words.ts'
import { bookWords } from '../../src/dashboard/appointments/words-book.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { addBookingPage, type BookingPage } from '../support/booking-page.ts'
import { appears, dashboardOf, findFlaws, HOSTILE } from '../support/dashboard-page.ts'
import { type Member, signedIn } from '../support/dashboard.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { chooseOption, follow, press, sees } from '../support/page-steps.ts'

let shop: Shop
let booking: BookingPage
let staff: Member
let key = 0

const world = await openWorld()
beforeEach(async () => {
  key += 1
  shop = await createOwnShop(world)
  booking = await addBookingPage(world, { companyId: shop.companyId, slug: `shop-${key}` })
  staff = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
})

const open = dashboardOf(world, () => shop)

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

type Appointment = { startsAt: string; status: string; cancellationReason: string }
const show = async (id: string) =>
  (await staff.ask<Appointment>('GET', `/companies/${shop.companyId}/appointments/${id}`)).body

const week = 'appointments?date=2026-11-24'

test.each(LANGUAGES)('an appointment is booked, moved and cancelled: %s', async (language) => {
  const { page, say } = await open({ at: week, role: 'agent', language })
  const dialog = page.getByRole('dialog')
  const arabic = language === 'ar'
  await press(page, say(appointmentsWords, 'book'))
  await chooseOption(dialog, say(bookWords, 'service'), arabic ? /^(?:Tasting|تذوّق)/ : 'Tasting')
  await dialog.getByLabel(say(bookWords, 'day')).fill('2026-11-24')
  await dialog.getByRole('radio', { name: '11:30' }).check()
  await dialog.getByText(say(bookWords, 'new_customer')).click()
  await dialog.getByLabel(say(bookWords, 'name')).fill('Maha Rashid')
  expect(await findFlaws(page)).toEqual([])
  // Another customer is faster: the next free times are shown.
  await book({ startsAt: tuesdayAt(11.5), name: 'Faster' })
  const bookAt = (time: string) =>
    dialog.getByRole('button', { name: say(bookWords, 'book_at') }).filter({ hasText: time })
  await bookAt('11:30').click()
  await sees(dialog, say(bookWords, 'taken'))
  await dialog.getByRole('button', { name: /13:00/ }).first().click()
  await bookAt('13:00').click()
  await dialog.waitFor({ state: 'hidden' })
  const panel = page.getByRole('complementary', { name: say(appointmentsWords, 'appointment') })
  await sees(panel, 'Maha Rashid', /13:00.*14:00/)
  const id = new URL(page.url()).searchParams.get('open')!

  await panel.getByRole('button', { name: say(appointmentsWords, 'move') }).press('Enter')
  await dialog.getByRole('radio', { name: '14:30' }).press('Space')
  expect(await findFlaws(page)).toEqual([])
  await dialog.getByRole('button', { name: say(bookWords, 'move_to') }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
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
  await dialog
    .getByRole('button', { name: say(bookWords, 'move_to') })
    .filter({ hasText: '15:30' })
    .click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await show(id)).startsAt).toBe('2026-11-25T12:30:00.000Z')

  await press(panel, say(appointmentsWords, 'cancel'))
  await sees(dialog, /appointment\.cancelled/)
  await dialog.getByLabel(say(bookWords, 'cancel_reason')).fill('The roaster is ill')
  expect(await findFlaws(page)).toEqual([])
  await press(dialog, say(bookWords, 'cancel_act'))
  await panel.getByText(say(appointmentStatusWords, 'cancelled')).first().waitFor()
  expect(await show(id)).toMatchObject({
    status: 'cancelled',
    cancellationReason: 'The roaster is ill',
  })
})

test('the calendar in Arabic shows another view and a filter, and a stored script as text', async () => {
  await book({ startsAt: tuesdayAt(12), name: HOSTILE })
  const { page } = await open({ at: week, language: 'ar' })
  await appears(page.getByRole('group', { name: /الجمعة/ }).getByText('مغلق'))
  await page.getByText('قائمة', { exact: true }).click()
  await page.waitForURL('**view=list*')
  await follow(page, HOSTILE)
  const panel = page.getByRole('complementary', { name: 'الموعد' })
  await sees(panel, HOSTILE)
  await press(panel, 'إنشاء رابط')
  await panel.getByRole('link', { name: /\/a\/apt_/ }).waitFor()
  await chooseOption(page, 'الحالة', 'ملغى')
  expect(await appears(page.getByText('لا نتائج مطابقة.'))).toBe(true)
})

test('hours are set, errors are shown at their field, and an Agent only reads', async () => {
  const { page, close } = await open({ at: 'appointments/set-up?tab=people' })
  const dialog = page.getByRole('dialog')
  await press(page, 'Omar')
  const closing = dialog.getByRole('textbox', { name: /^.?Sunday.?, to$/ })
  await closing.fill('9:xx')
  await press(dialog, 'Save')
  await sees(dialog, '1 problem to fix')
  await closing.fill('26:00')
  await press(dialog, 'Save')
  await dialog.waitFor({ state: 'hidden' })
  const { body } = await staff.ask<{ items: { name: string; hours: object }[] }>(
    'GET',
    `/companies/${shop.companyId}/resources`,
  )
  const omar = body.items.find(({ name }) => name === 'Omar')
  expect(omar?.hours).toMatchObject({ sunday: [{ from: '10:00', to: '26:00' }] })
  await close()

  const agent = await open({ role: 'agent' })
  await agent.go('appointments/set-up')
  await sees(agent.page, 'Only an Owner or Admin can change this.')
  expect(await agent.page.getByRole('button', { name: 'Add service' }).count()).toBe(0)
  await agent.close()
})

test('saving one field of the booking page leaves what others have written meanwhile', async () => {
  const { page } = await open({ at: 'appointments/set-up?tab=page' })
  const phone = page.getByLabel('Phone number for customers')
  await phone.waitFor()
  const at = `/companies/${shop.companyId}/booking-page`
  expect((await staff.ask('PATCH', at, { intro: 'Coffee, slowly.' })).status).toBe(200)
  await phone.fill('+966 11 000 0000')
  await press(page, /^Save$/)
  await sees(page, 'Booking page saved')
  expect((await staff.ask('GET', at)).body).toMatchObject({
    phone: '+966 11 000 0000',
    intro: 'Coffee, slowly.',
  })
  // The page shows from then on what the others have written.
  const intro = page.getByLabel('Introduction', { exact: true })
  await expect.poll(() => intro.inputValue()).toBe('Coffee, slowly.')
})

test('an Agent makes a link for their own calendar, and reads where to use it', async () => {
  const { page } = await open({ at: 'appointments', role: 'agent' })
  const dialog = page.getByRole('dialog')
  await follow(page, 'Calendar links')
  await press(page, 'Create calendar link')
  await sees(dialog, /Use it only in your own calendar/)
  expect(await dialog.locator('code').textContent()).toMatch(/^https?:/)
  expect(await dialog.getByText('never in a browser').count()).toBe(0)
})

test('the calendar is written in the digits that a person has chosen', async () => {
  await book({ startsAt: tuesdayAt(14), name: 'Maha Rashid' })
  const { page, go, member } = await open({ language: 'ar' })
  const chosen = { language: 'ar', digits: 'arabic' }
  expect((await member.ask('PATCH', '/me', chosen)).status).toBe(200)
  await go(week)
  expect(await page.locator('main h1').innerText()).toMatch(/٢٢.*٢٨.*٢٠٢٦/)
  await page.getByRole('link', { name: /١٤:٠٠.*Maha Rashid/ }).waitFor()
  await sees(page.getByRole('region'), '١١:٠٠')
})
