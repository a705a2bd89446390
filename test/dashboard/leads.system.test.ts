/** The board of leads in a real browser. Spec: Leads › Lists; Leads › Qualifying. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true"><script>isHurt=true</script>'

let world: World
let shop: Shop
let agent: Member
let at: string

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  at = `/companies/${shop.companyId}`
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, role: 'agent', ...options })

async function makeLead(name: string, input: object = {}): Promise<LeadView> {
  const contact = (await agent.ask<ContactView>('POST', `${at}/contacts`, { name })).body
  const made = { contactId: contact.id, ...input }
  return (await agent.ask<LeadView>('POST', `${at}/leads`, made)).body
}
const show = async (id: string) => (await agent.ask<LeadView>('GET', `${at}/leads/${id}`)).body

test('a card is moved by the keyboard alone, and what is lost is asked why', async () => {
  const lead = await makeLead('Sara', { score: 70, temperature: 'hot', summary: 'Two machines' })
  const { page, close, faults, go } = await open()
  await go('leads')
  await page.getByRole('region', { name: 'Open' }).getByText('Two machines').waitFor()
  await page.getByRole('button', { name: /Move .Sara/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Qualify' }).press('Enter')
  const qualified = page.getByRole('region', { name: 'Qualified' })
  await qualified.getByText('Sara').waitFor()
  expect(await show(lead.id)).toMatchObject({ status: 'qualified' })
  await page.getByRole('button', { name: /Move .Sara/ }).press('Enter')
  await page.getByRole('menuitem', { name: 'Mark as lost' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Reason').fill('Too dear')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as lost' }).click()
  await page.getByRole('region', { name: 'Lost' }).getByText('Sara').waitFor()
  expect(await show(lead.id)).toMatchObject({ status: 'lost', lostReason: 'Too dear' })
  expect(faults).toEqual([])
  await close()
})

test('a card is dragged to another column, and never to one it may not go to', async () => {
  const lead = await makeLead('Fahad')
  const { page, close, go } = await open()
  await go('leads')
  const card = page.getByRole('listitem').filter({ hasText: 'Fahad' })
  await card.dragTo(page.getByRole('region', { name: 'Won' }))
  await page.getByRole('region', { name: 'Won' }).getByText('Fahad').waitFor()
  await card.dragTo(page.getByRole('region', { name: 'Qualified' }))
  await page.getByText('What was won or lost can only be reopened').waitFor()
  expect(await show(lead.id)).toMatchObject({ status: 'won' })
  await close()
})

test('is made, opened beside the board and changed, in Arabic', async () => {
  await agent.ask('POST', `${at}/contacts`, { name: 'ريم القحطاني' })
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go('leads')
  await page.getByRole('button', { name: 'إضافة عميل محتمل' }).click()
  const dialog = page.getByRole('dialog', { name: 'إضافة عميل محتمل' })
  await dialog.getByLabel('العميل').first().fill('ريم القح')
  await page.getByRole('option', { name: 'ريم القحطاني' }).click()
  await dialog.getByRole('button', { name: 'إضافة عميل محتمل' }).click()
  const drawer = page.getByRole('dialog', { name: 'ريم القحطاني' })
  await drawer.getByLabel('ما يريده').fill('طقم كامل')
  await drawer.getByRole('button', { name: 'حفظ' }).click()
  await page.getByText('حُفظ العميل المحتمل').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('what is being written about a lead outlasts what others change of it, which is taken in', async () => {
  const lead = await makeLead('Huda', { summary: 'A grinder' })
  const { page, close, go } = await open()
  await go(`leads?lead=${lead.id}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('What they want').fill('A grinder and two kilos')
  world.clock.advance(1_000)
  await agent.ask('PATCH', `${at}/leads/${lead.id}`, { score: 80, summary: 'A mill' })
  await expect.poll(() => drawer.getByLabel('Score').inputValue()).toBe('80')
  expect(await drawer.getByLabel('What they want').inputValue()).toBe('A grinder and two kilos')
  world.clock.advance(1_000)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Lead saved').waitFor()
  expect(await show(lead.id)).toMatchObject({ score: 80, summary: 'A grinder and two kilos' })
  world.clock.advance(1_000)
  await agent.ask('PATCH', `${at}/leads/${lead.id}`, { summary: 'Nothing' })
  await expect.poll(() => drawer.getByLabel('What they want').inputValue()).toBe('Nothing')
  await close()
})

test('a lead that was refused without a customer is made once one is chosen', async () => {
  await agent.ask('POST', `${at}/contacts`, { name: 'Maha Al-Harbi' })
  const { page, close, go } = await open()
  await go('leads')
  await page.getByRole('button', { name: 'Add lead' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add lead' })
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await dialog.getByText('1 thing to fix').waitFor()
  await dialog.getByLabel('Customer').first().fill('Maha')
  await page.getByRole('option', { name: 'Maha Al-Harbi' }).click()
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  const drawer = page.getByRole('dialog', { name: 'Maha Al-Harbi' })
  await drawer.waitFor()
  expect(await drawer.getByText('1 thing to fix').count()).toBe(0)
  await close()
})

test('what a customer wrote is text on the board and in the table, on a phone too', async () => {
  await makeLead(HOSTILE, { summary: HOSTILE })
  const { page, close, faults, go } = await open({ width: 390, height: 844 })
  await go('leads')
  await page.getByRole('button', { name: HOSTILE, exact: true }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await go('leads?view=table')
  await page.getByRole('row').filter({ hasText: HOSTILE }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await close()
})
