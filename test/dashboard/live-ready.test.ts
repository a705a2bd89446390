/** What changes while a page is opened, before its stream has begun, is shown. Spec: Dashboard › Live updates. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hookWords } from '../../src/dashboard/flows/hook/words.ts'
import { askHook } from '../support/ask-hook.ts'
import { startBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

let browser: Browser
let world: World

beforeAll(async () => {
  ;[world, browser] = await Promise.all([createWorld(), startBrowser()])
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const say = spokenIn('en')

async function openHeld(shop: Shop) {
  const opened = await openDashboard(browser, world, shop)
  const held = Promise.withResolvers<void>()
  await opened.page.route('**/live', async (route) => {
    await held.promise
    await route.continue()
  })
  return { ...opened, begin: () => held.resolve() }
}

test('what came after a page was read, and before its stream had begun', async () => {
  const shop = await createShop(world)
  const { page, context, faults, go, begin } = await openHeld(shop)
  await go(`flows/${shop.flowId}/hook`)
  await page.getByText(say(hookWords, 'nothing_yet')).waitFor()
  expect((await askHook(shop.hookUrl)).http).toBe(202)
  begin()
  await page.getByText('"1043"').first().waitFor()
  expect(faults).toEqual([])
  await context.close()
})

test('what came while the first answer was on its way, and with it the begin of the stream', async () => {
  const own = world.service.context.ids.token(6)
  const shop = await createShop(world, { phoneNumberId: own, businessAccountId: own })
  const { page, context, faults, begin } = await openHeld(shop)
  const read = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route(
    '**/shape',
    async (route) => {
      const response = await route.fetch()
      read.resolve()
      await answer.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto(`${world.url}/p/${shop.companyId}/flows/${shop.flowId}/hook`)
  await read.promise
  expect((await askHook(shop.hookUrl)).http).toBe(202)
  // What the side bar counts is read anew when the stream begins.
  const counted = page.waitForRequest('**/conversations/counts')
  begin()
  await counted
  answer.resolve()
  await page.getByText('"1043"').first().waitFor()
  expect(faults).toEqual([])
  await context.close()
})
