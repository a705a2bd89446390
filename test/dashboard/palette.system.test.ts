/** What is there on every page: the palette, the list of keys, and the notices. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { findBarriers } from '../support/browser.ts'
import { signedIn } from '../support/dashboard.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const HOSTILE = '"><img src=x onerror="document.title=1">'
const PHONE = '+966501234567'

let world: World
let shop: Shop
let contactId: string

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  const owner = await signedIn(world, shop)
  const made = await owner.ask<ContactView>('POST', `/companies/${shop.companyId}/contacts`, {
    name: HOSTILE,
    phone: PHONE,
  })
  contactId = made.body.id
})
afterAll(async () => {
  await world.close()
})

async function open(options: Partial<DashboardOptions> = {}) {
  const opened = await openDashboard(world, { ...shop, ...options })
  opened.context.setDefaultTimeout(10_000)
  return opened
}

test('a phone that is pasted, in whatever form, goes straight to its contact', async () => {
  const { page, close, go } = await open()
  await go('runs')
  await page.keyboard.press('Control+KeyK')
  const input = page.getByRole('combobox', { name: 'Find anything' })
  await input.waitFor()
  await page.evaluate("navigator.clipboard.writeText('٠٥٠ ١٢٣ ٤٥٦٧')")
  await input.press('Control+KeyV')
  await page.waitForURL(`**/contacts/${contactId}`)
  expect(await page.title()).toBe('Wasla')
  await close()
})

test('what is copied is copied over http too, where browsers keep their clipboard from a page', async () => {
  const { page, close, go } = await open()
  await go(`contacts/${contactId}`)
  await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.addEventListener('paste', ({ clipboardData }) => {
      globalThis.pasted = clipboardData.getData('text')
    })
  `)
  await page.getByRole('button', { name: /Copy$/ }).click()
  await page.getByRole('button', { name: /^Find a customer/ }).click()
  await page.getByRole('combobox', { name: 'Find anything' }).press('Control+KeyV')
  await expect.poll(() => page.evaluate('globalThis.pasted')).toBe(contactId)
  await close()
})

test('what is typed is chosen by the arrows and opened by Enter; pages are found by their names', async () => {
  const { page, close, go, faults } = await open()
  await go('runs')
  await page.getByRole('button', { name: /^Find a customer/ }).click()
  const input = page.getByRole('combobox', { name: 'Find anything' })
  await input.fill('img')
  const option = page.getByRole('option').filter({ hasText: HOSTILE })
  await option.first().waitFor()
  expect(await option.first().getAttribute('aria-selected')).toBe('true')
  expect(await findBarriers(page)).toEqual([])
  await input.fill('a')
  await page.getByRole('option', { name: 'Page Team' }).waitFor()
  await input.press('ArrowDown')
  await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(1)
  await input.fill('audit')
  await page.getByText('Nothing of this project has that.').waitFor()
  await input.press('Enter')
  await page.waitForURL('**/audit')
  expect(faults).toEqual([])
  await close()
})

test('an Agent is led to no page that is not theirs', async () => {
  const { page, close, go } = await open({ role: 'agent', language: 'ar' })
  await go('contacts')
  await page.keyboard.press('Control+KeyK')
  await page.getByRole('option', { name: 'المحادثات' }).waitFor()
  expect(await page.getByRole('option', { name: 'الفريق' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await close()
})

test.each([
  { language: 'en', keys: 'Keys' },
  { language: 'ar', keys: 'المفاتيح' },
] as const)(
  'the question mark lists the keys, but not while somebody writes: $language',
  async (one) => {
    const { page, close, go } = await open(one)
    await go('runs')
    await page.getByRole('searchbox').first().press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: one.keys }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await close()
  },
)

test('notices are counted at the bell, told, and marked as read', async () => {
  const { ids, clock } = world.service.context
  const notice = (name: string) => ({
    id: ids.uuid(),
    accountId: shop.accountId,
    companyId: shop.companyId,
    kind: 'endpoint_failing',
    subjectId: shop.endpointId,
    details: JSON.stringify({
      endpointId: shop.endpointId,
      endpointName: name,
      failuresInRow: 50,
      failingSince: clock.now().toISOString(),
    }),
    createdAt: clock.now(),
  })
  await world.database.db.kysely
    .insertInto('notice')
    .values([notice(HOSTILE), notice('Orders')])
    .execute()
  const { page, close, go, faults } = await open()
  await go('runs')
  const bell = page.getByRole('button', { name: /^Notices/ })
  const unread = bell.locator('[aria-hidden="true"]').filter({ hasText: /\d/ })
  await expect.poll(() => unread.textContent()).toBe('2')
  await bell.click()
  const list = page.getByRole('dialog', { name: 'Notices' })
  await list.getByText('<img src=x').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await list.getByRole('button', { name: 'Mark as read' }).first().click()
  await expect.poll(() => unread.textContent()).toBe('1')
  await list.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(() => unread.count()).toBe(0)
  expect(await bell.textContent()).toBe('Notices')
  expect(await page.title()).toBe('Wasla')
  expect(faults).toEqual([])
  await close()
})
