/**
 * The public pages in a real browser: wide and narrow, in both languages, with a keyboard alone, without
 * scripts. Screenshots go to the folder that `SCREENSHOTS` names. Spec: Public pages › Form of a page.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { putBookingPage } from '../support/records/appointments.ts'
import { openWorld } from '../support/open-world.ts'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { findBarriers, overflowOf, startBrowser } from '../support/browser.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })
const shop = await createShop(world)
const page = await addBookingPage(world, shop)
const browser = await startBrowser()
afterAll(() => browser.close())

const LANGUAGES = ['en', 'ar'] as const
type Language = (typeof LANGUAGES)[number]
const WIDTHS = [360, 1_440]
/** The widths at which barriers are looked for, which takes most of the time. */
const JUDGED = IS_FULL_SIZE ? WIDTHS : [360]
/** A page is checked in half a second; on a busy machine it takes a few. */
const WITHIN_MS = 180_000
let visitors = 0

/** Opens a new browser context each time, from a new address. */
async function visit(
  language: Language,
  { scripts = true } = {},
): Promise<{ context: BrowserContext; tab: Page; faults: string[] }> {
  const context = await browser.newContext({
    viewport: { width: WIDTHS[0]!, height: 800 },
    locale: language === 'ar' ? 'ar-SA' : 'en-GB',
    javaScriptEnabled: scripts,
    extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${(visitors += 1)}` },
    reducedMotion: 'reduce',
  })
  const tab = await context.newPage()
  const faults: string[] = []
  tab.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  tab.on('pageerror', (error) => faults.push(error.message))
  tab.on('request', (request) => {
    if (!request.url().startsWith(world.url)) faults.push(`asks ${request.url()}`)
  })
  return { context, tab, faults }
}

async function take(tab: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await tab.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
}

async function optOutLink(): Promise<string> {
  const owner = await signedIn(world, shop)
  const contact = { name: 'Maha', phone: `+96650${5_000_000 + (visitors += 1)}` }
  const contacts = `/companies/${shop.companyId}/contacts`
  const { body } = await owner.ask<{ id: string }>('POST', contacts, contact)
  const broadcastId = world.service.context.ids.uuid()
  return `${world.url}/o/${makeOptOutToken(world.service.keyRing, { contactId: body.id, broadcastId })}`
}

const WORDS = {
  en: {
    workshop: 'Espresso workshop',
    book: /^Book /,
    confirm: /^Yes, book /,
    cancel: 'Cancel appointment',
    stop: 'Stop all messages',
  },
  ar: {
    workshop: 'ورشة الإسبريسو',
    book: /^حجز /,
    confirm: /^نعم، حجز /,
    cancel: 'إلغاء الموعد',
    stop: 'إيقاف كل الرسائل',
  },
}

test.each(LANGUAGES)(
  'every page in %s, narrow and wide: no overflow, no barrier, no requests to other sites',
  async (language) => {
    const { context, tab, faults } = await visit(language)
    const words = WORDS[language]
    const judge = async (name: string) => {
      expect(await tab.getAttribute('html', 'dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
      for (const width of WIDTHS) {
        await tab.setViewportSize({ width, height: 800 })
        expect(await overflowOf(tab), `${name} at ${width}`).toBe(0)
        if (JUDGED.includes(width)) {
          expect(await findBarriers(tab), `${name} at ${width}`).toEqual([])
        }
        await take(tab, `${name}-${language}-${width}`)
      }
      await tab.setViewportSize({ width: WIDTHS[0]!, height: 800 })
    }
    await tab.goto(page.url)
    await judge('services')
    await tab.getByRole('link', { name: words.workshop }).click()
    await judge('days')
    await tab.locator('.days a').nth(2).click()
    await tab
      .locator('.times a')
      .nth(language === 'en' ? 2 : 3)
      .click()
    await judge('form')
    await tab.locator('#name').fill('مها راشد')
    await tab.locator('#phone').fill('+966 50 123 45')
    await tab.getByRole('button').click()
    expect(await tab.locator('#phone').evaluate((field) => field.matches(':focus'))).toBe(true)
    expect(faults.filter((line) => !line.includes('422'))).toEqual([])
    faults.length = 0
    await judge('wrong')
    await tab.locator('#phone').fill(`05012${30_000 + visitors}`)
    await tab.locator('#country').selectOption('AE')
    await tab.getByRole('button', { name: words.book }).click()
    const question = tab.getByRole('group')
    expect(await question.evaluate((group) => group.matches(':focus'))).toBe(true)
    await question.getByText(/\+971\s50\s123/).waitFor()
    await judge('number-asked')
    await tab.getByRole('button', { name: words.confirm }).click()
    await tab.waitForURL(/\/a\//)
    await judge('booked')
    await tab.getByRole('link', { name: words.cancel }).click()
    await judge('question')
    await tab.getByRole('button', { name: words.cancel }).click()
    await judge('cancelled')
    await tab.goto(await optOutLink())
    await judge('stop')
    await tab.getByRole('button', { name: words.stop }).click()
    await judge('stopped')
    expect(faults).toEqual([])
    await tab.goto(`${world.url}/o/nothing`)
    await judge('nothing')
    expect(await context.cookies()).toEqual([])
    await context.close()
  },
  WITHIN_MS,
)

test.each(LANGUAGES)('the keyboard alone leads to a booked appointment in %s', async (language) => {
  const { context, tab } = await visit(language)
  /** Presses Tab until the focused element has this text. */
  async function reach(label: string | RegExp): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await tab.keyboard.press('Tab')
      const text = await tab.evaluate(() => {
        const { document } = globalThis as unknown as {
          document: { activeElement: { id: string; innerText: string } | null }
        }
        return document.activeElement?.id || document.activeElement?.innerText.trim() || ''
      })
      if (typeof label === 'string' ? text.startsWith(label) : label.test(text)) return
    }
    throw new Error(`the keyboard does not reach ${label}`)
  }
  const follow = async (label: string | RegExp) => {
    await reach(label)
    await Promise.all([tab.waitForNavigation(), tab.keyboard.press('Enter')])
  }
  await tab.goto(page.url)
  await follow(WORDS[language].workshop)
  await follow(language === 'ar' ? 'عمر' : 'Omar')
  await follow(/25/)
  await follow(language === 'ar' ? '13:00' : '11:30')
  await reach('name')
  await tab.keyboard.type('Maha')
  await reach('country')
  // A program cannot type Arabic letters with the keyboard of this browser.
  if (language === 'en') await tab.keyboard.type('Kuwait')
  await reach('phone')
  await tab.keyboard.type(
    language === 'en' ? `500${30_000 + visitors}` : `05013${30_000 + visitors}`,
  )
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press('Enter')])
  await tab.getByText(language === 'en' ? /\+965\s500/ : /\+966\s50\s133/).waitFor()
  await reach(WORDS[language].confirm)
  await Promise.all([tab.waitForURL(/\/a\//), tab.keyboard.press('Enter')])
  expect(await tab.locator('dl').innerText()).toContain(language === 'ar' ? 'عمر' : 'Omar')
  await context.close()
})

test('a browser that runs no scripts books, cancels and opts out as any other', async () => {
  const { context, tab } = await visit('en', { scripts: false })
  await tab.goto(page.url)
  await tab.getByRole('link', { name: 'Tasting' }).click()
  await tab.locator('.days a').last().click()
  await tab.locator('.times a').last().click()
  await tab.locator('#name').fill('Maha')
  await tab.locator('#phone').fill(`05014${30_000 + visitors}`)
  await tab.getByRole('button', { name: 'Book' }).click()
  await tab.getByRole('button', { name: /^Yes, book/ }).click()
  await tab.waitForURL(/\/a\//)
  await tab.getByRole('link', { name: 'Cancel appointment' }).click()
  await tab.getByRole('button', { name: 'Cancel appointment' }).click()
  expect(await tab.locator('h1').innerText()).toBe('This appointment is cancelled')
  await tab.goto(await optOutLink())
  await tab.getByRole('button').click()
  expect(await tab.locator('h1').innerText()).toBe('You’ve opted out')
  await context.close()
})

test('every page has a link that changes the language, which is kept from then on', async () => {
  const { context, tab } = await visit('en')
  await tab.goto(page.url)
  await tab.getByRole('link', { name: 'العربية' }).click()
  await tab.getByRole('link', { name: WORDS.ar.workshop }).click()
  expect(await tab.locator('html').getAttribute('lang')).toBe('ar')
  await tab.locator('.days a').first().click()
  await tab.locator('.times a').first().click()
  expect(await tab.locator('html').getAttribute('lang')).toBe('ar')
  await tab.getByRole('link', { name: 'English' }).click()
  // The step is the same.
  expect(await tab.locator('#name').count()).toBe(1)
  expect(await tab.locator('h1').innerText()).toBe('Espresso workshop')
  await context.close()
})

test(
  'a shop with its own colours: text that they would make unreadable is readable',
  async () => {
    const colours = [
      { colour: '#ffe100', background: '#fffbe6' },
      { colour: '#808080', background: '#808080' },
    ]
    const { context, tab } = await visit('en')
    for (const [place, colour] of colours.entries()) {
      await putBookingPage(world, shop, colour)
      await tab.goto(page.url)
      await tab.getByRole('link', { name: 'Tasting' }).click()
      await tab.locator('.days a').last().click()
      await tab.locator('.times a').first().click()
      await tab.getByRole('button', { name: 'Book' }).click()
      expect(await findBarriers(tab)).toEqual([])
      await take(tab, `colours-${place}`)
    }
    await putBookingPage(world, shop, { colour: null, background: null })
    await context.close()
  },
  WITHIN_MS,
)
