/** The account's screens in a real browser: team, audit, settings, profile, usage, plan. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MeView } from '../../src/contract/dashboard/me.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { signedIn } from '../support/dashboard.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const HOSTILE = '"><img src=x onerror="document.title=1">'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})

async function open(options: Partial<DashboardOptions> = {}) {
  const opened = await openDashboard(world, { ...shop, ...options })
  opened.context.setDefaultTimeout(10_000)
  return opened
}

test('a colleague is invited by a link that is shown once, given another role, and removed', async () => {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const { page, close, go, faults } = await open()
  await go('team')
  await page.getByRole('button', { name: 'Invite a colleague' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('new@example.com')
  await dialog.getByLabel('Admin', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = dialog.locator('code')
  await link.waitFor()
  expect(await link.textContent()).toContain(`${world.url}/invitation#`)
  await dialog.getByText('It is opened in a browser, to accept the invitation.').waitFor()
  expect(await dialog.getByText('never in a browser').count()).toBe(0)
  expect(await dialog.getByText('Download .env').count()).toBe(0)
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const invitation = page.getByRole('row').filter({ hasText: 'new@example.com' })
  await invitation.getByText('Handed over by you').waitFor()

  const row = page.getByRole('row').filter({ hasText: agent.email })
  await row.getByRole('button', { name: 'Change role' }).click()
  await dialog.getByLabel('Admin', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Give this role' }).click()
  await row.getByText('Admin').waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByText('conversations assigned to them').waitFor()
  await dialog.getByRole('button', { name: /^Remove/ }).click()
  await row.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('an Admin has no say over Owners, nor about the second factor', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const { page, close, go } = await open({ role: 'admin' })
  await go('team')
  const row = page.getByRole('row').filter({ hasText: owner.email })
  await row.waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await page.getByText('Only an Owner decides this.').waitFor()
  await go('settings')
  expect(await page.getByLabel('Name of the account').isDisabled()).toBe(true)
  await close()
})

test('an Agent has a profile, and none of the rest', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go('profile')
  const navigation = page.getByRole('navigation', { name: 'Main navigation' }).first()
  for (const name of ['Usage', 'Team', 'Audit log', 'Plan', 'Settings']) {
    expect(await navigation.getByRole('link', { name }).count()).toBe(0)
  }
  await close()
})

test('a project is named with what looks like a script, which stands as text wherever it is told', async () => {
  const { page, close, go, faults } = await open()
  await go('settings')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(HOSTILE)
  await page.getByRole('button', { name: 'Make project' }).click()
  await page.getByRole('link', { name: HOSTILE }).click()
  await page.waitForURL((url) => !url.pathname.includes(shop.companyId))
  const project = page.url()
  await page.goto(`${project}/settings`)
  await page.getByLabel('Name', { exact: true }).fill(`${HOSTILE} 2`)
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Saved').waitFor()
  await page.goto(`${project}/audit?action=company.renamed`)
  await page.locator('summary', { hasText: 'Project renamed' }).first().click()
  await page.locator('del', { hasText: HOSTILE }).waitFor()
  await page.locator('ins', { hasText: `${HOSTILE} 2` }).waitFor()
  expect(await page.title()).toBe('Wasla')
  expect(faults).toEqual([])
  await close()
})

test('opening hours are told by weekday, in Arabic digits too, and refused at their field', async () => {
  const { page, close, go } = await open({ language: 'ar' })
  await go('settings')
  await page.getByRole('switch', { name: 'مفتوح في أي وقت' }).click({ force: true })
  await page.getByRole('button', { name: 'إضافة ساعات يوم \u2068الأحد\u2069' }).click()
  const from = page.getByLabel('\u2068الأحد\u2069، من')
  await from.fill('٢٥:٠٠')
  await page.getByRole('button', { name: 'حفظ' }).nth(1).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await from.fill('٨:٣٠')
  await page.getByRole('button', { name: 'حفظ' }).nth(1).click()
  await page.getByText('حُفظ', { exact: true }).waitFor()
  const company = await world.database.db.kysely
    .selectFrom('company')
    .select('openingHours')
    .where('id', '=', shop.companyId)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(company.openingHours)).toMatch(/sunday.*510.*1020/)
  await close()
})

test('the audit log is narrowed down by its address, and taken along as a file', async () => {
  const { page, close, go } = await open()
  await go('audit?action=invitation.created')
  await page.getByText('Colleague invited').first().waitFor()
  expect(await page.locator('details', { hasText: 'Project made' }).count()).toBe(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('audit.csv')
  await go('audit?action=no.such')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('Audit log exported').first().waitFor()
  await close()
})

test('a person chooses language, digits and clock, and ids keep their digits', async () => {
  const { page, close, go } = await open()
  await go('profile')
  for (const [label, option] of [
    ['Language', 'Arabic, العربية'],
    ['Digits in Arabic', '٠١٢٣'],
    ['Times', 'UTC'],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'ملفك الشخصي' }).waitFor()
  await go('usage')
  await page.getByText('١٬٠٠٠').first().waitFor()
  await page.getByTitle('الأوقات معروضة بتوقيت UTC').waitFor()
  await page
    .getByText(/٠٠:٠٠/)
    .nth(1)
    .waitFor()
  await go('audit')
  await page.locator('summary').first().click()
  expect(await page.locator('details[open] button bdi').textContent()).toMatch(/^[0-9a-f-]+…/)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  await close()
})

test('saving a name leaves as it is what was changed elsewhere after the page was opened', async () => {
  const { page, close, go, faults, member } = await open()
  const name = page.getByLabel('Name', { exact: true })
  await go('settings')
  const project = `/companies/${shop.companyId}`
  expect((await member.ask('PATCH', project, { timeZone: 'Asia/Dubai' })).status).toBe(200)
  await name.fill('Dar Al Bun')
  await page.getByRole('button', { name: 'Save' }).first().click()
  const { kysely } = world.database.db
  const company = kysely.selectFrom('company').where('id', '=', shop.companyId)
  await expect
    .poll(() => company.select(['name', 'timeZone']).executeTakeFirst())
    .toEqual({ name: 'Dar Al Bun', timeZone: 'Asia/Dubai' })

  await go('profile')
  expect((await member.ask('PATCH', '/me', { digits: 'arabic' })).status).toBe(200)
  await name.fill('Huda')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await member.ask<MeView>('GET', '/me')).body)
    .toMatchObject({ name: 'Huda', digits: 'arabic' })
  expect(faults).toEqual([])
  await close()
})

test.each([
  { language: 'en', width: 1_440, theme: 'dark' },
  { language: 'ar', width: 360 },
] as const)('axe finds nothing and nothing overflows: $language, $width px', async (look) => {
  const { page, close, go, faults } = await open(look)
  for (const path of ['usage', 'team', 'audit', 'plan', 'settings', 'profile']) {
    await go(path)
    expect({ path, barriers: await findBarriers(page) }).toEqual({ path, barriers: [] })
    expect({ path, overflow: await overflowOf(page) }).toEqual({ path, overflow: 0 })
  }
  expect(faults).toEqual([])
  await close()
})
