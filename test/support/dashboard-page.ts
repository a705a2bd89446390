/** The dashboard in a real browser, as a member of an account who has signed in. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startSession } from '../../src/accounts/start-session.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import type { Language } from '../../src/vocabulary/hooks.ts'
import { signedIn, type Member } from './dashboard.ts'
import type { World } from './service.ts'

export type DashboardPage = {
  page: Page
  context: BrowserContext
  member: Member
  /** What the browser complained of: scripts that threw, what its policy refused. */
  faults: string[]
  /** Opens a page of the company: `go('inbox')`; the first one without a path. */
  go(path?: string): Promise<void>
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
const WITHIN_MS = 15_000

export async function openDashboard(
  browser: Browser,
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
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language === 'ar' ? 'ar' : 'en-GB',
    colorScheme: theme,
    timezoneId: 'Asia/Riyadh',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await context.addCookies([
    { name: 'sid', value: token, url: world.url, httpOnly: true, sameSite: 'Lax' },
  ])
  // The service's clock is the test's, so the page's begins where that stands.
  await context.clock.setSystemTime(clock.now())
  context.setDefaultTimeout(WITHIN_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    // A refusal of the API is told to the console by the browser itself.
    if (message.text().startsWith('Failed to load resource')) return
    faults.push(message.text())
  })
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
  }
}
