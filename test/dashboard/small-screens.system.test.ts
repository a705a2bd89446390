/**
 * Pages on a tablet, on a phone and in Arabic, and a conversation with all that it opens. Screenshots go to the
 * folder that `SCREENSHOTS` names.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bookWords } from '../../src/dashboard/appointments/words-book.ts'
import { setupWords } from '../../src/dashboard/appointments/words-setup.ts'
import { topWords } from '../../src/dashboard/frame/words-top.ts'
import { composerWords } from '../../src/dashboard/inbox/words-composer.ts'
import { appointmentsWords } from '../../src/dashboard/appointments/words.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { appears, dashboardOf, findFlaws } from '../support/dashboard-page.ts'
import { inboxOf, reply } from '../support/inbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { press, sees } from '../support/page-steps.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
const booking = await addBookingPage(world, shop)
const open = dashboardOf(world, shop)
const TABLET = { width: 820, height: 1_180 }

async function take(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
}

/** Tells whether all of an element is between the edges of the page. */
async function isWhole(page: Page, what: Locator): Promise<boolean> {
  const { x, width } = (await what.boundingBox())!
  return x >= 0 && x + width <= page.viewportSize()!.width
}

test.each(['en', 'ar'] as const)(
  'a tablet shows all days of a week and all columns of the board: %s',
  async (language) => {
    const agent = await inbox.member('owner')
    const asked = { serviceId: booking.tastingId, startsAt: '2026-11-24T07:00:00.000Z' }
    const customer = { key: `a-tablet-in-${language}-1`, name: 'Maha', phone: newPhone() }
    if (language === 'en') {
      const booked = `/companies/${shop.companyId}/appointments`
      expect((await agent.ask('POST', booked, { ...asked, ...customer })).status).toBe(201)
      await whatsApp.settle()
    }
    const { page, go, say } = await open({
      at: 'appointments?date=2026-11-24&view=week',
      language,
      ...TABLET,
    })
    const calendar = page.getByRole('region', { name: say(appointmentsWords, 'calendar') })
    const days = calendar.locator('[data-day]')
    await appears(days.first())
    expect(await days.count()).toBe(7)
    for (const day of await days.all()) expect(await isWhole(page, day)).toBe(true)
    await take(page, `week-${language}-820`)
    await calendar.getByText('Maha').click()
    await appears(page.getByText(say(appointmentsWords, 'told')))
    await take(page, `appointment-${language}-820`)
    await page.setViewportSize({ width: 390, height: 844 })
    await take(page, `appointment-${language}-390`)
    await page.setViewportSize({ width: 1_440, height: 900 })
    await take(page, `appointment-${language}-1440`)
    await page.setViewportSize(TABLET)
    await go('leads')
    const columns = page.getByRole('main').locator('section')
    await appears(columns.first())
    expect(await columns.count()).toBe(4)
    for (const column of await columns.all()) expect(await isWhole(page, column)).toBe(true)
    await take(page, `board-${language}-820`)
  },
)

test("days and times on an Arabic page have one format, whatever the browser's locale is", async () => {
  const { page, go, say } = await open({ at: 'appointments?date=2026-11-24', language: 'ar' })
  const own = page.locator('input[type=date], input[type=time], input[type=datetime-local]')
  const dialog = page.getByRole('dialog')
  await press(page, say(appointmentsWords, 'book'))
  const day = dialog.getByRole('textbox', { name: say(bookWords, 'day') })
  await appears(day)
  expect(await own.count()).toBe(0)
  expect(await day.inputValue()).toMatch(/^\d{2}\/\d{2}\/2026$/)
  await day.fill('٢٩/١١/٢٠٢٦')
  await day.blur()
  expect(await day.inputValue()).toBe('29/11/2026')
  await press(dialog, 'فتح التقويم', /الاثنين.*30 نوفمبر/)
  expect(await day.inputValue()).toBe('30/11/2026')
  const clock = dialog.getByRole('textbox', { name: say(bookWords, 'other_time') })
  await clock.fill('21:30')
  await clock.blur()
  expect(await clock.inputValue()).toBe('21:30')
  await clock.fill('9:30 PM')
  await clock.blur()
  await sees(dialog, 'اكتبه مثل')
  expect(await findFlaws(page)).toEqual([])
  await take(page, 'time-field-ar-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await take(page, 'time-field-ar-390')
  await page.keyboard.press('Escape')
  await go('appointments/set-up?tab=changes')
  await page
    .getByRole('button', { name: say(setupWords, 'add_change') })
    .first()
    .click()
  await appears(dialog.getByRole('textbox', { name: say(setupWords, 'first_day') }))
  expect(await own.count()).toBe(0)
})

test('a conversation opens links, names authors, keeps Latin text intact, and has its bell on a phone', async () => {
  const long =
    'Please look at https://shop.example/orders/10482?lang=en and call +966 50 123 4567 today'
  const talk = await inbox.talk(newPhone(), long)
  const omar = await inbox.member('agent')
  await reply(
    omar,
    talk,
    'Looking at it now, I will be back to you in a minute or two with an answer',
  )
  await whatsApp.settle()
  const { page, member, say, go } = await open({ at: 'inbox', language: 'ar' })
  const row = page.locator('[data-row]').filter({ hasText: 'Looking at it now' })
  await appears(row)
  const words = row.locator('[dir=auto]').last()
  expect(await words.evaluate((element) => element.matches(':dir(ltr)'))).toBe(true)
  expect(await row.textContent()).not.toContain('أنت')
  await reply(member, talk, 'This is mine')
  await appears(page.locator('[data-row]').filter({ hasText: /أنت\u2069?:/ }))
  await take(page, 'inbox-ar-1440')

  await page.setViewportSize({ width: 390, height: 844 })
  await go(`inbox/${encodeURIComponent(talk.id)}`)
  const message = page.getByRole('article').filter({ hasText: 'Please look at' })
  const link = message.getByRole('link', { name: 'https://shop.example/orders/10482?lang=en' })
  await appears(link)
  expect(await link.getAttribute('rel')).toBe('noreferrer')
  expect(await message.getByRole('link', { name: '+966 50 123 4567' }).getAttribute('href')).toBe(
    'tel:+966501234567',
  )
  await take(page, 'conversation-ar-390')
  await page
    .getByRole('button', { name: say(topWords, 'notices') })
    .last()
    .click()
  await appears(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
})

test.each(['en', 'ar'] as const)(
  'unsupported files and empty values are refused in words before they are sent: %s',
  async (language) => {
    const talk = await inbox.talk(newPhone())
    const { page, say } = await open({ at: `inbox/${encodeURIComponent(talk.id)}`, language })
    const field = page.locator('input[type=file]')
    const text = page.getByRole('textbox', { name: say(composerWords, 'reply') })
    await appears(text)
    const sends = language === 'en' ? /JPG, PNG.* up to .*5/ : /JPG، PNG.* بحد أقصى .*5/
    for (const file of [
      { name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('x') },
      // The bytes decide, whatever type the browser names.
      { name: 'a.bin', mimeType: '', buffer: Buffer.from([1, 2, 3, 4]) },
    ]) {
      await field.setInputFiles(file)
      const refused = page.getByRole('alert').filter({ hasText: file.name })
      await appears(refused.filter({ hasText: sends }))
    }
    await take(page, `refused-${language}-1440`)
    await text.fill('Dear {{name}}')
    await page.getByRole('alert').filter({ hasText: '{{name}}' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await text.inputValue()).toBe('Dear {{name}}')
    expect((await talk.messages()).filter(({ direction }) => direction === 'out')).toEqual([])
  },
)
