/** Booking and moving on a phone, in a real browser. Screenshots go to the folder that `SCREENSHOTS` names. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { findBarriers, overflowOf, startBrowser } from '../support/browser.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld({
  trustedProxies: '127.0.0.0/8',
  mailer: { send: () => Promise.resolve([]) },
})
const page = await addBookingPage(world, await createShop(world))
const browser = await startBrowser()
afterAll(() => browser.close())

const PHONE = { width: 390, height: 844 }
const WIDTHS = [390, 820, 1_440]
const WORDS = {
  en: {
    workshop: 'Espresso workshop',
    reschedule: 'Reschedule',
    moved: 'Your appointment has been rescheduled',
  },
  ar: { workshop: 'ورشة الإسبريسو', reschedule: 'نقل الموعد', moved: 'تم نقل موعدك' },
}

async function judge(tab: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await tab.setViewportSize({ width, height: PHONE.height })
    expect({ name, width, over: await overflowOf(tab) }).toEqual({ name, width, over: 0 })
    const folder = process.env.SCREENSHOTS
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true })
      await tab.screenshot({ path: path.join(folder, `${name}-${width}.png`), fullPage: true })
    }
  }
  await tab.setViewportSize(PHONE)
  expect({ name, barriers: await findBarriers(tab) }).toEqual({ name, barriers: [] })
}

/** Returns whether an element is under the bar with the button, as the page was sent. */
async function isCovered(tab: Page, what: Locator): Promise<boolean> {
  const [shown, bar] = [await what.boundingBox(), await tab.locator('.stays').boundingBox()]
  return shown!.y + shown!.height > bar!.y && shown!.y < bar!.y + bar!.height
}

test.each(['en', 'ar'] as const)(
  'on a phone in %s the button covers no error, and the appointment is moved',
  async (language) => {
    const words = WORDS[language]
    const context = await browser.newContext({
      viewport: PHONE,
      locale: language === 'ar' ? 'ar-SA' : 'en-GB',
      extraHTTPHeaders: { 'x-forwarded-for': language === 'ar' ? '198.51.100.7' : '198.51.100.8' },
    })
    const tab = await context.newPage()
    await tab.goto(page.url)
    await tab.getByRole('link', { name: words.workshop }).click()
    await tab
      .locator('.days a')
      .nth(language === 'ar' ? 1 : 2)
      .click()
    await tab.locator('.times a').first().click()
    await tab.locator('#name').fill('Maha')
    await tab.locator('#phone').fill('123')
    await tab.locator('#email').fill('no address')
    await tab.locator('.stays button').click()
    for (const field of ['phone', 'email']) {
      const said = tab.locator(`#${field}-said`)
      expect(await said.getAttribute('class')).toBe('wrong')
      expect(await isCovered(tab, said)).toBe(false)
    }
    expect(await isCovered(tab, tab.locator('#phone'))).toBe(false)
    await judge(tab, `wrong-${language}`)
    await tab.locator('#phone').fill('+966501234567')
    await tab.locator('#email').fill('maha@example.com')
    await tab.locator('.stays button').click()
    await judge(tab, `booked-${language}`)
    await tab.getByRole('link', { name: words.reschedule }).click()
    await judge(tab, `move-${language}`)
    await tab.locator('.days a').nth(3).click()
    await tab.locator('.times a').nth(1).click()
    await judge(tab, `move-to-${language}`)
    await tab.locator('.stays button').click()
    expect(await tab.locator('h1').textContent()).toBe(words.moved)
    await judge(tab, `moved-${language}`)
    await context.close()
  },
  120_000,
)
