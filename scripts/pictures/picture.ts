/** Takes pictures of one page in every theme, and reports its visible faults. */
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findBarriers } from '../../test/support/browser.ts'
import { findFaults } from './find-faults.mjs'
import type { SeededIds } from './seed-activity.ts'
import type { Pictured } from './pages.ts'

export const LANGUAGES = ['en', 'ar'] as const
export const THEMES = ['light', 'dark'] as const
export const WIDTHS = [1_440, 768, 360] as const

const PHONE_PX = 640
const HEIGHT = { phone: 780, desk: 900 } as const
/** Delay after the data has arrived, for what is drawn later, such as lines between steps. */
const SETTLED_MS = 350
const WAIT_MS = 15_000

/** The language, width and themes of pictures. */
export type Look = {
  language: (typeof LANGUAGES)[number]
  width: number
  themes: readonly (typeof THEMES)[number][]
}

/** An open page of a browser, with or without a session. */
export type Entered = {
  page: Page
  look: Look
  origin: string
  /** The company's id; null without a session. */
  company: string | null
  /** Errors that the browser has reported since they were last read. */
  complaints: string[]
}

/** Opens a page in a new browser context, signed in as the demonstration's Owner when there is a link. */
export async function enter(
  browser: Browser,
  look: Look,
  { origin, link }: { origin: string; link: string | null },
): Promise<Entered> {
  const { language, width, themes } = look
  const height = width < PHONE_PX ? HEIGHT.phone : HEIGHT.desk
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language === 'ar' ? 'ar' : 'en-GB',
    timezoneId: 'Asia/Riyadh',
    colorScheme: themes[0] ?? 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  if (link === null) return { page, look, origin, company: null, complaints }
  await page.goto(`${origin}/welcome#${link}`)
  await page.waitForURL('**/p/*', { timeout: WAIT_MS })
  const company = new URL(page.url()).pathname.split('/')[2]!
  return { page, look, origin, company, complaints }
}

const REFUSED = /^Failed to load resource.* 4\d\d /

type Of = {
  origin: string
  ids: SeededIds
  folder: string
  /** Returns whether a picture of this name is wanted. */
  isWanted(name: string): boolean
}

/**
 * Takes the pictures of a page, of the page that its first row opens, and of the additional pages of that row. Returns how
 * many were taken, and their visible faults.
 */
export async function picture(
  entered: Entered,
  { name, path: below, isAtRoot = false, first, ofFirst = {}, isRefused = false }: Pictured,
  { origin, ids, folder, isWanted }: Of,
): Promise<{ pictures: number; faults: string[] }> {
  const { page, look, company, complaints } = entered
  const faults: string[] = []
  let pictures = 0
  const root = isAtRoot ? origin : `${origin}/p/${company}`
  const go = async (to: string) => {
    // The page would not load again if only the fragment differs.
    await page.goto('about:blank')
    await page.goto(to)
    await page.locator('h1').first().waitFor({ timeout: WAIT_MS })
  }
  const take = async (called: string) => {
    if (!isWanted(called)) return
    const seen = await pictureThemes(entered, path.join(folder, called))
    pictures += look.themes.length
    const said = complaints.splice(0).filter((one) => !isRefused || !REFUSED.test(one))
    const own = [...seen, ...said]
    faults.push(...own.map((fault) => `${called}-${look.language}-${look.width}: ${fault}`))
  }
  try {
    const at = typeof below === 'string' ? below : below(ids)
    await go(`${root}/${at}`)
    await take(name)
    if (first === undefined) return { pictures, faults }
    await settle(page)
    const row = page.locator('main [data-opens="true"]').first()
    if ((await row.count()) === 0) {
      return { pictures, faults: [...faults, `${name}-${look.language}: no row to open`] }
    }
    const before = page.url()
    const head = await page.locator('h1').first().elementHandle()
    await row.click()
    // An element under the mouse would show its tooltip.
    await page.mouse.move(0, 0)
    await page.waitForURL((url) => url.href !== before, { timeout: WAIT_MS })
    // The list remains under the new address until the opened page has loaded.
    await page.waitForFunction((one) => one?.isConnected !== true, head, { timeout: WAIT_MS })
    const opened = page.url()
    if (!new RegExp(`/${first.at.replaceAll(/\$\w+/g, '[^/?#]+')}(?:[?#]|$)`).test(opened)) {
      faults.push(`${first.name}-${look.language}: ${opened} is not ${first.at}`)
    }
    await take(first.name)
    for (const [part, more] of Object.entries(ofFirst)) {
      if (!isWanted(part)) continue
      await go(opened.replace(/[?#].*$/, '') + more)
      await take(part)
    }
  } catch (error) {
    faults.push(`${name}-${look.language}-${look.width}: ${String(error).split('\n')[0]}`)
  }
  return { pictures, faults }
}

async function pictureThemes({ page, look }: Entered, file: string): Promise<string[]> {
  const faults: string[] = []
  for (const [nth, theme] of look.themes.entries()) {
    await page.emulateMedia({ colorScheme: theme })
    await settle(page)
    await page.screenshot({ path: `${file}-${look.language}-${theme}-${look.width}.png` })
    // The layout is the same in the other theme.
    if (nth === 0) faults.push(...(await page.evaluate(findFaults)))
    const barriers = await findBarriers(page)
    faults.push(...barriers.map((barrier) => `${theme}: ${barrier.replaceAll(/\s+/g, ' ')}`))
  }
  return faults
}

/** Waits until no element of a page is loading, and nothing has changed for a moment. */
export async function settle(page: Page): Promise<void> {
  const head = page.locator('h1')
  const toCome = page.locator('[aria-busy="true"], [role="status"][aria-label], [data-loading]')
  const until = performance.now() + WAIT_MS
  do {
    await head.first().waitFor({ timeout: WAIT_MS })
    await toCome.first().waitFor({ state: 'detached', timeout: WAIT_MS })
    await page.evaluate('document.fonts.ready.then(() => null)')
    await page.waitForTimeout(SETTLED_MS)
    if ((await head.count()) > 0 && (await toCome.count()) === 0) return
  } while (performance.now() < until)
  throw new Error('The page does not come to rest')
}
