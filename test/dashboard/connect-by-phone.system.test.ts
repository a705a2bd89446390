/** Connecting what has no credentials of a platform: a number by its phone, and calls by their reports. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createLinkedWorld, type LinkedWorld } from '../support/linked-number.ts'

const SCRIPT = `"><img src=x onerror=alert(1)>`

let linked: LinkedWorld
beforeAll(async () => {
  linked = await createLinkedWorld()
})
afterAll(async () => {
  await linked.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(linked.world, { ...linked.shop, ...options })

/** The bridge is asked, as the daemon would. */
async function ask(): Promise<void> {
  linked.world.clock.advance(1_001)
  await linked.world.service.processAll()
}

test('a number is linked once the risk is accepted: the code, the scan, the number', async () => {
  const { page, go, close, faults } = await open()
  await go('channels/connect/whatsapp_qr')
  await page.getByText('WhatsApp may restrict the number').waitFor()
  await page.getByLabel('Name').fill(SCRIPT)
  await page.getByRole('button', { name: 'Accept and go on' }).click()
  await page.getByText('1 thing to fix').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Accept and go on' }).click()
  await page.getByText('Risk accepted').waitFor()
  await ask()
  await ask()
  await page.getByRole('img', { name: 'Code to link the number' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  const [accountId] = linked.qr.bridge.sessions.keys()
  linked.qr.phones.act({ action: 'scan', accountId: accountId! })
  await ask()
  await page.getByText('+12025550120').waitFor()
  await page.getByRole('link', { name: 'To the channel' }).click()
  await page.getByText('The link', { exact: true }).waitFor()
  await page.getByText(SCRIPT).first().waitFor()
  linked.qr.phones.act({ action: 'logOut', accountId: accountId! })
  await ask()
  await page.getByText('The phone has removed the link').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('in Arabic and on a phone, nothing is cut off and nobody is kept out', async () => {
  const { page, go, close } = await open({ language: 'ar', width: 390 })
  await go('channels/connect/whatsapp_qr')
  await page.getByRole('button', { name: 'أقبل وأتابع' }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await close()
})

test('calls are connected by a secret, and the address for their reports stands there', async () => {
  const { page, go, close, faults } = await open()
  await go('channels/connect/voice')
  await page.getByLabel('Name').fill('Calls')
  await page.getByLabel('Who answers the calls').selectOption('vapi')
  await page.getByLabel('What the reports are signed with').fill('short')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('1 thing to fix').waitFor()
  await page.getByLabel('What the reports are signed with').fill('a-secret-of-the-merchant')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const address = page.getByText(/\/webhooks\/voice\//)
  await address.waitFor()
  await page.getByText('In Vapi, at the assistant').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})
