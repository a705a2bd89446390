/** The service while its dashboard is built: the pages before, after, and when the build fails. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createDashboard, type Dashboard } from '../../src/dashboard-build/dashboard.ts'
import { BUILD_STEPS } from '../../src/dashboard-build/build-steps.ts'
import { hashSources } from '../../src/dashboard-build/hash-sources.ts'
import { startBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { writeDashboard } from '../support/dashboard-fixture.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorldOn, type World } from '../support/world.ts'

const HTML = { headers: { accept: 'text/html' } }

let project: string
let logged: string[]
let dashboard: Dashboard
beforeEach(async () => {
  project = await temporaryFolder()
  logged = []
  await mkdir(path.join(project, 'src/dashboard/node_modules/x'), { recursive: true })
  await mkdir(path.join(project, 'scripts'))
  await writeFile(path.join(project, 'src/dashboard/main.tsx'), 'one')
  dashboard = createDashboard({
    project,
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
  })
  onTestFinished(() => dashboard.stop())
})

/** Replaces the program that builds by one that records that it ran, and at which priority. */
async function writeBuilder(text: string): Promise<void> {
  const note = `import { appendFileSync, readFileSync } from 'node:fs'
import os from 'node:os'
appendFileSync('runs', \`\${os.getPriority()} \`)
${text}`
  await writeFile(path.join(project, 'scripts/build-dashboard.ts'), note)
}
/** Starts a service that serves this dashboard. */
async function served(): Promise<World> {
  const world = await createWorldOn(await createTestDatabase(), { dashboard })
  onTestFinished(() => world.close())
  return world
}
const runs = () => readFile(path.join(project, 'runs'), 'utf8').catch(() => '')
const version = async () => {
  const state = await dashboard.state()
  return state.kind === 'ready' ? state.build.version : state
}

describe('After the start', () => {
  test('a build of the current sources is served as it is, and nothing is built', async () => {
    await writeBuilder('')
    await writeDashboard(project, { sources: (await hashSources(project))! })
    await dashboard.prepare()
    expect(await dashboard.state()).toMatchObject({ kind: 'ready' })
    expect(await runs()).toBe('')
  })

  test('a stale dashboard is built at low priority; until then the page says so and reloads', async () => {
    await writeDashboard(project, { sources: 'others', script: 'old' })
    const before = await version()
    await writeDashboard(project, { sources: 'others', script: 'new' })
    await writeBuilder(`while (readFileSync('go', { encoding: 'utf8', flag: 'a+' }) === '') {}`)
    const { url } = await served()
    const prepared = dashboard.prepare()
    await expect.poll(() => dashboard.state()).toEqual({ kind: 'preparing', step: null })
    const page = await fetch(`${url}/p/a-shop`, HTML)
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2'])
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(text).toContain('Preparing the dashboard')
    expect(text).toMatch(/<section lang="ar" dir="rtl">\s*<h1>يجري تجهيز لوحة التحكم/)
    expect((await fetch(`${url}/assets/index-a1.js`)).status).toBe(404)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await writeFile(path.join(project, 'go'), 'go')
    await prepared
    expect(await runs()).toBe('10 ')
    expect(await version()).not.toEqual(before)
    const told = await fetch(`${url}/api/dashboard`)
    expect(await told.json()).toMatchObject({ version: await version() })
  })

  test.each(['/welcome#a-token', '/set-up#a-token', '/p/a-shop?tab=runs'])(
    'a page opened meanwhile, %s, shows the steps and then opens the dashboard',
    async (address) => {
      await writeBuilder(`console.log(${JSON.stringify(BUILD_STEPS.building)})
while (readFileSync('go', { encoding: 'utf8', flag: 'a+' }) === '') {}`)
      const { url } = await served()
      const prepared = dashboard.prepare()
      await expect.poll(() => dashboard.state()).toEqual({ kind: 'preparing', step: 'building' })
      const browser = await startBrowser()
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      await page.goto(`${url}${address}`)
      const told = await page.getByRole('status').allInnerTexts()
      expect(told.toSorted()).toEqual([
        'Step 2 of 3: building pages',
        'الخطوة 2 من 3: بناء الصفحات',
      ])
      await writeDashboard(project, { sources: 'others' })
      await writeFile(path.join(project, 'go'), 'go')
      await prepared
      await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('A dashboard')
      expect(page.url()).toBe(`${url}${address}`)
    },
  )

  test('a failed build is reported with its reason; the previous build is served', async () => {
    await writeBuilder(
      `console.error('many words\\nThe registry <is> away.')\nprocess.exitCode = 1`,
    )
    await dashboard.prepare()
    expect(await dashboard.state()).toEqual({ kind: 'missing', why: 'The registry <is> away.' })
    expect(logged.join('')).toContain('dashboard build failed')
    expect(logged.join('')).toContain('The registry <is> away.')
    const { url } = await served()
    const text = await (await fetch(url, HTML)).text()
    expect(text).toContain('The registry &lt;is&gt; away.')
    expect(text).toContain('npm run dashboard')
    // The operator does as it says.
    await writeDashboard(project, { sources: 'others' })
    expect((await fetch(url, HTML)).status).toBe(200)
    await dashboard.prepare()
    expect(await dashboard.state()).toMatchObject({ kind: 'ready' })
    expect(logged.join('')).toContain('served as it was built before')
  })

  test('a service that is stopped ends its build', async () => {
    await writeBuilder('for (;;) {}')
    const prepared = dashboard.prepare()
    await expect.poll(runs).toBe('10 ')
    await dashboard.stop()
    await prepared
    expect(logged).toEqual([])
  })
})

test('A build is identified by the content of its files, and installed packages do not count', async () => {
  const first = await hashSources(project)
  await writeFile(path.join(project, 'src/dashboard/node_modules/x/index.js'), 'a package')
  await mkdir(path.join(project, 'src/dashboard/test'))
  await writeFile(path.join(project, 'src/dashboard/test/main.system.test.ts'), 'a test')
  await writeFile(path.join(project, 'src/dashboard/main.tsx'), 'one')
  expect(await hashSources(project)).toBe(first)
  const hashes = new Set([first])
  for (const file of ['src/dashboard/main.tsx', 'src/core/limits/a.ts', 'package-lock.json']) {
    await mkdir(path.dirname(path.join(project, file)), { recursive: true })
    await writeFile(path.join(project, file), 'two')
    hashes.add(await hashSources(project))
  }
  expect(hashes.size).toBe(4)
  expect(await hashSources(path.join(project, 'nowhere'))).toBeNull()
})
