/** The phones page in a real browser: who writes as a customer is that customer. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { orderReadyTo, startSimulated } from './simulated.ts'

const SARA = '12025550101'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser.close())

test('once something is written as a customer, nothing is tapped for them', async () => {
  const simulated = await startSimulated({ autoReply: true })
  const { simulator, receiver } = simulated
  simulator.addPerson({ number: SARA, name: 'Sara' })
  const page = await browser.newPage()
  await page.goto(simulator.pageUrl)
  await page.getByRole('button', { name: /Sara/ }).click()
  await page.getByLabel('Message of the customer').fill('Hello')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page
    .getByRole('checkbox', { name: /I am .*Sara/ })
    .and(page.locator(':checked'))
    .waitFor()
  await expect.poll(() => receiver.messages().length).toBe(1)
  await simulated.send(orderReadyTo(SARA))
  await simulator.idle()
  expect(receiver.messages()).toHaveLength(1)
  await page.close()
})
