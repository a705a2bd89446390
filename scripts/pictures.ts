/**
 * `npm run pictures [page …]`: starts the demonstration with a data folder and ports of its own, and pictures every
 * page of the dashboard, or those named, in both languages, both themes and at three widths into `build/pictures/`.
 * Says what a script can see to be wrong: what is cut off, what is wider than its window, what axe finds, what the
 * browser complains of; then it fails. The two pictures of the README are made with the others.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { DEMONSTRATION_BODY } from '../src/banner.ts'
import { readConfig } from '../src/config.ts'
import { start, type Started } from '../src/start.ts'
import { findBarriers, startBrowser } from '../test/support/browser.ts'
import { findCuts, PAGES, type Pictured } from './pictures/pages.ts'

const SETTLED_MS = 700
const WAIT_MS = 15_000
const project = path.join(import.meta.dirname, '..')
const folder = path.join(project, 'build/pictures')
const README_PAGES: Record<string, string> = {
  'inbox-ar-light-1440': 'dashboard-ar.png',
  'deliveries-en-light-1440': 'dashboard-en.png',
}

const LOOKS = (['en', 'ar'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    [360, 768, 1_440].map((width) => ({ language, theme, width })),
  ),
)
type Look = (typeof LOOKS)[number]

const asked = process.argv.slice(2)
const pages = PAGES.filter(({ name }) => asked.length === 0 || asked.includes(name))
const faults: string[] = []

/** A few runs and deliveries, so that no list is empty. */
async function liveALittle({ port, demonstration }: Started): Promise<void> {
  for (const number of ['1041', '1042', '1043']) {
    await fetch(`http://127.0.0.1:${port}/hooks/${demonstration!.hookToken}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `order-${number}` },
      body: JSON.stringify({ ...DEMONSTRATION_BODY, order: { number } }),
    })
  }
}

async function picture(page: Page, name: string, { language, theme, width }: Look) {
  await page.waitForTimeout(SETTLED_MS)
  const file = `${name}-${language}-${theme}-${width}`
  await page.screenshot({ path: path.join(folder, `${file}.png`) })
  if (README_PAGES[file]) {
    const shown = path.join(project, 'docs/pictures')
    mkdirSync(shown, { recursive: true })
    copyFileSync(path.join(folder, `${file}.png`), path.join(shown, README_PAGES[file]))
  }
  const cuts = await findCuts(page)
  const barriers = await findBarriers(page)
  faults.push(...[...cuts, ...barriers].map((fault) => `${file}: ${fault}`))
}

async function pictureAll(browser: Browser, origin: string, link: string, look: Look) {
  const { language, theme, width } = look
  const context = await browser.newContext({
    viewport: { width, height: width < 640 ? 780 : 900 },
    locale: language === 'ar' ? 'ar' : 'en-GB',
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complain = (what: string) =>
    faults.push(`${language}-${theme}-${width} ${page.url()}: ${what}`)
  page.on('pageerror', (error) => complain(String(error)))
  page.on('console', (message) => message.type() === 'error' && complain(message.text()))
  await page.goto(`${origin}/welcome#${link}`)
  await page.waitForURL('**/p/*', { timeout: WAIT_MS })
  const company = new URL(page.url()).pathname.split('/').slice(0, 3).join('/')
  for (const { name, path: below, first } of pages) {
    await page.goto(`${origin}${company}${below === '' ? '' : `/${below}`}`)
    await page.locator('main h1, main h2').first().waitFor({ timeout: WAIT_MS })
    await picture(page, name, look)
    if (first !== undefined) await openFirst(page, { name, path: below, first }, look)
  }
  await context.close()
}

async function openFirst(page: Page, { name, first }: Pictured, look: Look): Promise<void> {
  const row = page.locator('main tbody tr[data-opens="true"]').first()
  if ((await row.count()) === 0) {
    faults.push(`${name}-${look.language}: no row to open`)
    return
  }
  const before = page.url()
  await row.click()
  await page.waitForURL((url) => url.href !== before, { timeout: WAIT_MS })
  await picture(page, first!, look)
}

const dataFolder = mkdtempSync(path.join(tmpdir(), 'wasla-pictures-'))
const config = readConfig(
  {
    LOG_LEVEL: 'error',
    DATA_FOLDER: dataFolder,
    DEMONSTRATION: 'on',
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
  },
  [],
  project,
)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const started = await start(config, () => {})
const browser = await startBrowser()
try {
  await liveALittle(started)
  const origin = `http://127.0.0.1:${started.port}`
  for (const look of LOOKS) {
    await pictureAll(browser, origin, started.demonstration!.linkToken!, look)
  }
} finally {
  await browser.close()
  await started.stop()
  rmSync(dataFolder, { recursive: true, force: true })
}
console.log(`${pages.length} pages in ${LOOKS.length} looks lie in build/pictures.`)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
