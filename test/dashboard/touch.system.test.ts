/** On a phone a finger meets what it presses: 44 by 44 px, on every page of the side bar, in both languages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appWords } from '../../src/dashboard/app/words.ts'
import { overflowOf } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { signedIn } from '../support/dashboard.ts'
import { makeOneOfEach } from '../support/one-of-each.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { findSmallTargets } from '../support/touch-targets.ts'
import { PATIENCE } from '../support/patience.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  await makeOneOfEach(world, shop, await signedIn(world, { accountId: shop.accountId }))
}, 120_000 * PATIENCE)
afterAll(async () => {
  await world.close()
})

test.each([
  { language: 'en', width: 360 },
  { language: 'ar', width: 600 },
] as const)(
  'every page of the side bar: $language at $width px',
  { timeout: 120_000 * PATIENCE },
  async (look) => {
    const { page, go, close } = await openDashboard(world, {
      ...shop,
      language: look.language,
    })
    await go()
    const links = page.getByRole('navigation', { name: appWords[look.language].navigation }).first()
    const start = `/p/${shop.companyId}`
    const hrefs = await links
      .getByRole('link')
      .evaluateAll((all: unknown[]) =>
        (all as { getAttribute(name: string): string | null }[]).map((one) =>
          one.getAttribute('href'),
        ),
      )
    const paths = hrefs
      .filter((href) => href?.startsWith(start))
      .map((href) => href!.slice(start.length + 1))
    expect(paths.length).toBeGreaterThan(15)
    await page.setViewportSize({ width: look.width, height: 800 })
    const small: Record<string, string[]> = {}
    for (const path of paths) {
      await go(path)
      const found = await findSmallTargets(page)
      const wide = await overflowOf(page)
      if (wide > 0) found.push(`wider than the window by ${wide} px`)
      if (found.length > 0) small[path] = found
    }
    expect(small).toEqual({})
    await close()
  },
)
