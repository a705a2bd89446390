/** The dashboard in a real browser, as a member of an account who has signed in. */
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { startSession } from '../../src/accounts/start-session.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import type { Language } from '../../src/vocabulary/hooks.ts'
import { startBrowser } from './browser.ts'
import { signedIn, type Member } from './dashboard.ts'
import { PATIENCE } from './patience.ts'
import type { World } from './service.ts'

export type DashboardPage = {
  page: Page
  context: BrowserContext
  member: Member
  /** What the browser complained of: scripts that threw, what its policy refused. */
  faults: string[]
  /** Opens a page of the company: `go('inbox')`; the first one without a path. */
  go(path?: string): Promise<void>
  /** Signs nobody out, but forgets who was signed in: the next test begins anew. */
  close(): Promise<void>
}

export type DashboardOptions = {
  accountId: string
  companyId: string
  role?: Role
  language?: Language
  width?: number
  height?: number
  theme?: 'light' | 'dark'
}

/** Room for a machine that others keep busy; what never comes is told before the test ends. */
const WITHIN_MS = 15_000 * PATIENCE
const FORGOTTEN_WITHIN_MS = 3_000

/** One browser for all dashboards of a process; it ends with the process. */
let browser: Promise<Browser> | undefined
/**
 * Pages that no test has at the moment. What a page has loaded and compiled it need not again: half a second
 * of the processor each time.
 */
const idle: Record<Language, Page[]> = { en: [], ar: [] }

export async function openDashboard(
  world: Pick<World, 'service' | 'url'>,
  {
    accountId,
    companyId,
    role = 'owner',
    language = 'en',
    width = 1_440,
    height = 900,
    theme = 'light',
  }: DashboardOptions,
): Promise<DashboardPage> {
  const { db, ids, clock } = world.service.context
  const member = await signedIn(world, { accountId, role })
  const { token } = await transaction(db, (tx) =>
    startSession(
      tx,
      { ids, now: clock.now() },
      {
        personId: member.personId,
        accountId,
        client: { carrier: 'cookie', userAgent: 'test', device: null },
      },
    ),
  )
  const page = idle[language].pop() ?? (await newPage(language))
  const context = page.context()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  await context.addCookies([
    { name: 'sid', value: token, url: world.url, httpOnly: true, sameSite: 'Lax' },
  ])
  // The service's clock is the test's, so the page's begins where that stands.
  await context.clock.setSystemTime(clock.now())
  context.setDefaultTimeout(WITHIN_MS)
  const { faults, stop } = listenForFaults(page)
  return {
    page,
    context,
    member,
    faults,
    go: async (path = '') => {
      await page.goto(`${world.url}/p/${companyId}${path === '' ? '' : `/${path}`}`)
      await page.locator('main h1').first().waitFor()
      // What is still asked for is told as such.
      await page
        .getByRole('status', { name: /^(?:Loading|جارٍ التحميل)$/ })
        .first()
        .waitFor({ state: 'detached' })
    },
    close: async () => {
      stop()
      const isForgotten = await forget(page, world.url)
      if (isForgotten) idle[language].push(page)
      else await context.close()
    },
  }
}

async function newPage(language: Language): Promise<Page> {
  browser ??= startBrowser()
  const context = await (
    await browser
  ).newContext({
    locale: language === 'ar' ? 'ar' : 'en-GB',
    timezoneId: 'Asia/Riyadh',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  return context.newPage()
}

function listenForFaults(page: Page): { faults: string[]; stop: () => void } {
  const faults: string[] = []
  const threw = (error: Error) => void faults.push(String(error))
  const said = (message: ConsoleMessage) => {
    if (message.type() !== 'error') return
    // A refusal of the API is told to the console by the browser itself.
    if (message.text().startsWith('Failed to load resource')) return
    faults.push(message.text())
  }
  page.on('pageerror', threw)
  page.on('console', said)
  return {
    faults,
    stop() {
      page.off('pageerror', threw)
      page.off('console', said)
    },
  }
}

/** Leaves the dashboard, whose streams end, and takes away what it kept in the browser. False where that cannot be. */
async function forget(page: Page, url: string): Promise<boolean> {
  const context = page.context()
  if (context.pages().length > 1) return false
  try {
    await page.unrouteAll()
    await page.goto(`${url}/favicon.svg`, { timeout: FORGOTTEN_WITHIN_MS })
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await context.clearCookies()
    return true
  } catch {
    return false
  }
}
