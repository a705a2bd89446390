/** A tab that was left open while the service was upgraded. */
import { readBuild, type Build } from '../../src/dashboard-build/read-build.ts'
import path from 'node:path'
import type { Response } from 'playwright-core'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { drawLine } from '../support/cut-line.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

let served: Build

const old = (await readBuild(path.join(import.meta.dirname, '../../build/dashboard')))!
const dashboard = {
  state: () => Promise.resolve({ kind: 'ready', build: served } as const),
  prepare: () => Promise.resolve(),
  stop: () => Promise.resolve(),
}
const world = await openWorld({ dashboard })
const shop = await createShop(world)

beforeEach(() => {
  served = old
})

/** Returns the same pages with every part under another name, as after a change that reaches them all. */
function nextOf(build: Build): Build {
  const renamed = (text: string) =>
    text.replaceAll(/(?<=[./]|assets\/)([\w-]+\.(?:js|css))\b/g, 'n-$1')
  const files = [...build.files].map(([at, file]) => {
    const isText = /\.(?:js|css)$/.test(at)
    const bytes = isText ? Buffer.from(renamed(file.bytes.toString())) : file.bytes
    return [renamed(at), { ...file, bytes, br: null, gzip: null }] as const
  })
  return { ...build, version: 'the-next', page: renamed(build.page), files: new Map(files) }
}

async function versionIn(answer: Response): Promise<string | null> {
  const told = (await answer.json().catch(() => null)) as { version: string } | null
  return told?.version ?? null
}

const versionOf = 'document.querySelector(\'meta[name="wasla-version"]\').content'

test('an old tab learns of the new build when its stream comes back, and its next page is a new one', async () => {
  const line = await drawLine(world.url)
  onTestFinished(() => line.close())
  const look = { ...shop, language: 'ar', at: 'contacts' } as const
  const { page } = await openDashboard({ ...world, url: line.url }, look)
  expect(await page.evaluate(versionOf)).toBe(old.version)
  served = nextOf(old)
  // The first stream may have asked just before.
  const asked = page.waitForResponse(
    async (answer) =>
      answer.url().endsWith('/api/dashboard') && (await versionIn(answer)) === 'the-next',
  )
  line.cut()
  line.mend()
  await (await asked).finished()
  await page.getByRole('link', { name: 'العملاء المحتملون' }).first().click()
  await page.waitForFunction(`${versionOf} === 'the-next'`)
  await page.getByRole('heading', { level: 1, name: 'العملاء المحتملون' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/p/${shop.companyId}/leads`)
})

test('an old tab that misses a part of a page reloads it, as often as that happens', async () => {
  const { page, context, faults } = await openDashboard(world, { ...shop, at: 'contacts' })
  served = nextOf(old)
  await page.getByRole('link', { name: 'Leads' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
  expect(await page.evaluate(versionOf)).toBe('the-next')

  // A week later once more.
  await context.clock.fastForward('24:00:00')
  served = nextOf(served)
  await page.getByRole('link', { name: 'Developer tools' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Developer tools' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  // The browser complained about the missing parts.
  expect(faults.splice(0).length).toBeGreaterThan(0)
  // No other test uses this clock, which was moved.
  await context.close()
})
