/** Pages whose reads fail, and filters that are cleared, in a real browser: no page states what it does not know. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callsWords } from '../../src/dashboard/connections/words-calls.ts'
import { hookWords } from '../../src/dashboard/flows/hook/words.ts'
import { leadsWords } from '../../src/dashboard/leads/words.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { dashboardOf } from '../support/dashboard-page.ts'
import { openOwnedShop } from '../support/owned-shop.ts'
import { postHook } from '../support/post-hook.ts'
import { press, sees } from '../support/page-steps.ts'

const { world, shop } = await openOwnedShop()
const open = dashboardOf(world, shop)

/** Makes every read of these addresses fail as after an error of the service. */
const failReads = (page: Page, addresses: string | RegExp) =>
  page.route(addresses, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: {} })
      : route.continue(),
  )

test('a choice of contacts that could not be read says so, and not that no contact matches', async () => {
  const { page, say } = await open()
  await failReads(page, '**/contacts?*')
  await page.goto(`${world.url}/p/${shop.companyId}/leads`)
  await press(page, say(leadsWords, 'make'))
  await page.getByRole('combobox', { name: say(leadsWords, 'of_whom') }).click()
  await sees(page, say(partsWords, 'could_not_be_loaded'))
  expect(await page.getByText('Nobody matches.').count()).toBe(0)
})

test('the page of a hook URL does not wait for a first request when the last one could not be read', async () => {
  expect((await postHook(shop.hookUrl)).http).toBeGreaterThan(0)
  const { page, say } = await open()
  await failReads(page, '**/shape')
  await page.goto(`${world.url}/p/${shop.companyId}/flows/${shop.flowId}/hook`)
  await sees(page, say(partsWords, 'could_not_be_loaded'))
  expect(await page.getByText(say(hookWords, 'nothing_yet')).count()).toBe(0)
  await page.unrouteAll()
  await press(page, say(partsWords, 'try_again'))
  await sees(page, say(hookWords, 'last_request'))
})

test('clearing the filters of the call log also empties the field of the status', async () => {
  const { page, say } = await open({ at: 'connections/calls?status=404' })
  const status = page.getByRole('textbox', { name: say(callsWords, 'status') })
  expect(await status.inputValue()).toBe('404')
  await press(page, say(partsWords, 'clear_filters'))
  await expect.poll(() => status.inputValue()).toBe('')
})
