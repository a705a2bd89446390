/** The dashboard in a real browser, as a member of an account who has signed in. */
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startSession } from '../../src/modules/accounts/start-session.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import type { Language } from '../../src/core/vocabulary/hooks.ts'
import { findBarriers, overflowOf, startBrowser } from './browser.ts'
import { signedIn, type Member } from './dashboard.ts'
import { TIMEOUT_FACTOR } from './timeout-multiplier.ts'
import type { World } from './test-service.ts'
import { spokenIn, type Spoken } from './spoken.ts'

export type DashboardPage = {
  page: Page
  context: BrowserContext
  member: Member
  /** Errors of the browser so far. A test that causes an error removes it from here. */
  faults: string[]
  /** The texts of the dashboard in the language of the page. */
  say: Spoken
  /** Opens a page of the company: `go('inbox')`; the first one without a path. */
  go(path?: string): Promise<void>
  /**
   * Closes the page before the end of its test, which would close it as well. Ends no session, but the browser
   * forgets its own.
   */
  close(): Promise<void>
}

type Company = { accountId: string; companyId: string }

export type LookOptions = {
  /** The page of the company that opens first: `''` is the start page. */
  at?: string
  role?: Role
  language?: Language
  width?: number
  height?: number
  theme?: 'light' | 'dark'
}

/**
 * The time-out has room for a busy machine, and ends before the time-out of the test, so that the failure says
 * what was waited for.
 */
const WITHIN_MS = 15_000 * TIMEOUT_FACTOR
const FORGOTTEN_WITHIN_MS = 3_000

/** A text of an attacker who wants to run a script in a member's browser. */
export const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true"><script>isHurt=true</script>'

/** A phone and a large screen, in both languages. */
export const LOOKS = [
  { language: 'en', width: 360 },
  { language: 'en', width: 1_440 },
  { language: 'ar', width: 360 },
  { language: 'ar', width: 1_440 },
] as const

/** One browser for all dashboards of a process; it ends with the process. */
let browser: Promise<Browser> | undefined
/**
 * Pages that no test uses at the moment. A page that is reused has its scripts loaded and compiled: this saves
 * half a second of processor time.
 */
const idle: Record<Language, Page[]> = { en: [], ar: [] }

/** Opens the dashboard of one company, with these options unless a test says otherwise. */
export const dashboardOf =
  (
    world: Pick<World, 'service' | 'url'>,
    company: Company | (() => Company),
    usual: LookOptions = {},
  ) =>
  (options: LookOptions = {}): Promise<DashboardPage> => {
    const { accountId, companyId } = typeof company === 'function' ? company() : company
    return openDashboard(world, { accountId, companyId, ...usual, ...options })
  }

/**
 * Opens the dashboard as a new member of the account. It is closed when the test ends. The test fails when the
 * browser reported an error, or when a customer's script has run or is in the page.
 */
export async function openDashboard(
  world: Pick<World, 'service' | 'url'>,
  {
    accountId,
    companyId,
    at,
    role = 'owner',
    language = 'en',
    width = 1_440,
    height = 900,
    theme = 'light',
  }: Company & LookOptions,
): Promise<DashboardPage> {
  const { db, ids, clock } = world.service.context
  const member = await signedIn(world, { accountId, role })
  const client = { carrier: 'cookie', userAgent: 'test', device: null } as const
  const { personId } = member
  const { token } = await transaction(db, (tx) =>
    startSession(tx, { ids, now: clock.now() }, { personId, accountId, client }),
  )
  const page = idle[language].pop() ?? (await newPage(language))
  const context = page.context()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  await context.addCookies([
    { name: 'sid', value: token, url: world.url, httpOnly: true, sameSite: 'Lax' },
  ])
  // The service's clock is moved by the test, so the page's clock begins at the same time.
  await context.clock.setSystemTime(clock.now())
  context.setDefaultTimeout(WITHIN_MS)
  const { faults, stop } = listenForFaults(page)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    const hurt = await hurtOf(page)
    stop()
    const isForgotten = await forget(page, world.url)
    if (isForgotten) idle[language].push(page)
    else await context.close()
    expect([...faults, ...hurt]).toEqual([])
  }
  onTestFinished(close)
  const go = async (path = '') => {
    await page.goto(`${world.url}/p/${companyId}${path === '' ? '' : `/${path}`}`)
    await page.locator('main h1').first().waitFor()
    // The error names what is still loading.
    await page
      .getByRole('status', { name: /^(?:Loading|جارٍ التحميل)$/ })
      .first()
      .waitFor({ state: 'detached' })
  }
  if (at !== undefined) await go(at)
  return { page, context, member, faults, say: spokenIn(language), go, close }
}

/** Returns what a customer's script did to the page: it has run, or its image is in the page. */
async function hurtOf(page: Page): Promise<string[]> {
  if (page.isClosed()) return []
  const hasRun = await page.evaluate(() => 'isHurt' in globalThis)
  const images = await page.locator('img[src=x]').count()
  return [...(hasRun ? ['a script has run'] : []), ...(images > 0 ? ['an image stands there'] : [])]
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
    // The browser itself writes a refusal of the API to the console.
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

/**
 * Leaves the dashboard, which ends its streams, and deletes what it stored in the browser. Returns false when
 * that fails.
 */
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

export const firstOf = (page: Page, role: 'button' | 'link' | 'option', name: RegExp | string) =>
  page.getByRole(role, { name }).first()

/** Returns what is wrong with how a page looks: what axe finds, and overflow when it is wider than the window. */
export async function findFlaws(page: Page): Promise<string[]> {
  const [barriers, overflow] = [await findBarriers(page), await overflowOf(page)]
  const flaws = [...barriers, ...(overflow === 0 ? [] : [`${overflow} px wider than the window`])]
  return flaws.map((flaw) => `${page.url()} ${flaw}`)
}

/**
 * Returns the names of the fields for free text whose direction does not follow the text that is typed. Values
 * are tried without the page's knowledge, and restored.
 */
export function findStiffFields(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND_STIFF)
}

/** The script is a text, because this project has no types of the browser's objects. */
const FIND_STIFF = `(() => {
  const free = 'input:is([type=text], [type=search], :not([type])):not([inputmode]), textarea'
  const fields = [...document.querySelectorAll(free)].filter((field) => {
    const isChoice = field.readOnly || field.ariaHidden === 'true' || field.ariaHasPopup === 'listbox'
    return !isChoice && field.closest('[dir=ltr], [dir=rtl]') === document.documentElement
  })
  return fields.flatMap((field) => {
    const { value } = field
    const directions = ['abc', 'عمر'].map((typed) => {
      field.value = typed
      return getComputedStyle(field).direction
    })
    field.value = value
    const name = field.labels?.[0]?.textContent ?? field.ariaLabel ?? field.id
    return directions.join() === 'ltr,rtl' ? [] : [name + ': ' + directions.join()]
  })
})()`

/**
 * Waits until an element is in the page.
 * @throws Error when it does not appear.
 */
export async function appears(wanted: Locator): Promise<true> {
  await wanted.waitFor()
  return true
}
