/** A tab that was left open while the service was brought up to date. */
import { readBuild, type Build } from '../../src/dashboard-build/read-build.ts'
import path from 'node:path'
import type { Response } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { drawLine } from '../support/cut-line.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let old: Build
let served: Build

beforeAll(async () => {
  old = (await readBuild(path.join(import.meta.dirname, '../../build/dashboard')))!
  const dashboard = {
    state: () => Promise.resolve({ kind: 'ready', build: served } as const),
    prepare: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  }
  world = await createWorld({ dashboard })
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})
beforeEach(() => {
  served = old
})

/** The same pages, every part of them under another name, as after a change that reaches them all. */
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

test('it learns of it when its stream comes back, and its next page is of the new one', async () => {
  const line = await drawLine(world.url)
  const opened = await openDashboard({ ...world, url: line.url }, { ...shop, language: 'ar' })
  const { page, close, faults, go } = opened
  await go('contacts')
  expect(await page.evaluate(versionOf)).toBe(old.version)
  served = nextOf(old)
  // Its first stream may have asked just before.
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
  expect(faults).toEqual([])
  await close()
  await line.close()
})

test('it finds a part of a page gone, and loads it anew, as often as that happens', async () => {
  const { page, context, go } = await openDashboard(world, shop)
  await go('contacts')
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
  // Its clock was moved: no other test goes on with it.
  await context.close()
})
