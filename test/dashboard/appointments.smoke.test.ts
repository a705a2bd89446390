/** The calendar and the settings of booking, in a real browser. Spec: Appointments › Members. */
import { beforeEach, expect, test } from 'vitest'
import { bookWords } from '../../src/dashboard/appointments/words-book.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { addBookingPage, type BookingPage } from '../support/booking-page.ts'
import { appears, dashboardOf, findFlaws, HOSTILE } from '../support/dashboard-page.ts'
import { type Member, signedIn } from '../support/dashboard.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

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

test.each(LANGUAGES)('booked, moved by keys and by dragging, cancelled: %s', async (language) => {
  const { page, say } = await open({ at: week, role: 'agent', language })
  const dialog = page.getByRole('dialog')
  const arabic = language === 'ar'
  await page.getByRole('button', { name: say(appointmentsWords, 'book') }).click()
  await dialog.getByRole('combobox', { name: say(bookWords, 'service') }).click()
  await page.getByRole('option', { name: arabic ? /^(?:Tasting|تذوّق)/ : 'Tasting' }).click()
  await dialog.getByLabel(say(bookWords, 'day')).fill('2026-11-24')
  await dialog.getByRole('radio', { name: '11:30' }).check()
  await dialog.getByText(say(bookWords, 'new_customer')).click()
  await dialog.getByLabel(say(bookWords, 'name')).fill('Maha Rashid')
  expect(await findFlaws(page)).toEqual([])
  // Somebody else is faster: the next free times are told.
  await book({ startsAt: tuesdayAt(11.5), name: 'Faster' })
  const bookAt = (time: string) =>
    dialog.getByRole('button', { name: say(bookWords, 'book_at') }).filter({ hasText: time })
  await bookAt('11:30').click()
  await dialog.getByText(say(bookWords, 'taken')).waitFor()
  await dialog.getByRole('button', { name: /13:00/ }).first().click()
  await bookAt('13:00').click()
  await dialog.waitFor({ state: 'hidden' })
  const panel = page.getByRole('complementary', { name: say(appointmentsWords, 'appointment') })
  await panel.getByText('Maha Rashid').waitFor()
  await panel.getByText(/13:00.*14:00/).waitFor()
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

  await panel.getByRole('button', { name: say(appointmentsWords, 'cancel') }).click()
  await dialog.getByText(/appointment\.cancelled/).waitFor()
  await dialog.getByLabel(say(bookWords, 'cancel_reason')).fill('The roaster is ill')
  expect(await findFlaws(page)).toEqual([])
  await dialog.getByRole('button', { name: say(bookWords, 'cancel_act') }).click()
  await panel.getByText(say(appointmentsWords, 'cancelled')).first().waitFor()
  expect(await show(id)).toMatchObject({
    status: 'cancelled',
    cancellationReason: 'The roaster is ill',
  })
})

test('in Arabic: another view, a filter, and what is stored as a script is text', async () => {
  await book({ startsAt: tuesdayAt(12), name: HOSTILE })
  const { page } = await open({ at: week, language: 'ar' })
  await appears(page.getByRole('group', { name: /الجمعة/ }).getByText('مغلق'))
  await page.getByText('قائمة', { exact: true }).click()
  await page.waitForURL('**view=list*')
  await page.getByRole('link', { name: HOSTILE }).click()
  const panel = page.getByRole('complementary', { name: 'الموعد' })
  await panel.getByText(HOSTILE).waitFor()
  await panel.getByRole('button', { name: 'إنشاء رابط' }).click()
  await panel.getByRole('link', { name: /\/a\/apt_/ }).waitFor()
  await page.getByRole('combobox', { name: 'الحالة' }).click()
  await page.getByRole('option', { name: 'ملغى' }).click()
  expect(await appears(page.getByText('لا نتائج مطابقة.'))).toBe(true)
})

test('hours are set, what is wrong stands at its field, and an Agent only reads', async () => {
  const { page, close } = await open({ at: 'appointments/set-up?tab=people' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Omar' }).click()
  const sunday = dialog.getByRole('group', { name: 'Sunday' })
  await sunday.getByLabel('To').fill('9:xx')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('1 problem to fix').waitFor()
  await sunday.getByLabel('To').fill('26:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
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
  await agent.page.getByText('Only an Owner or Admin can change this.').waitFor()
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
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Booking page saved').waitFor()
  expect((await staff.ask('GET', at)).body).toMatchObject({
    phone: '+966 11 000 0000',
    intro: 'Coffee, slowly.',
  })
  // What they have written is shown from then on.
  const intro = page.getByLabel('Introduction', { exact: true })
  await expect.poll(() => intro.inputValue()).toBe('Coffee, slowly.')
})

test('an Agent makes a link for their own calendar, and is told where it belongs', async () => {
  const { page } = await open({ at: 'appointments', role: 'agent' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Calendar links' }).click()
  await page.getByRole('button', { name: 'Create calendar link' }).click()
  await dialog.getByText(/Use it only in your own calendar/).waitFor()
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
  await page.getByRole('region').getByText('١١:٠٠').waitFor()
})

test.each([
  { language: 'en', path: week },
  { language: 'ar', path: week, theme: 'dark' },
  { language: 'ar', path: week, width: 390 },
  { language: 'en', path: 'appointments/set-up?tab=page' },
  { language: 'ar', path: 'appointments/set-up?tab=people', width: 390 },
] as const)('no barriers, no overflow: $path in $language', async (look) => {
  const id = await book({ startsAt: tuesdayAt(16), name: 'مها راشد' })
  const at = look.path === week ? `${week}&open=${id}` : look.path
  const { page } = await open({ at, ...look })
  expect(await findFlaws(page)).toEqual([])
})
