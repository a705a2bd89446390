/** What stands around every page of the dashboard, in a real browser. Spec: Concepts › Roles. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

test('reads from right to left in Arabic, and changes its language without a reload', async () => {
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go('inbox')
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await page.getByRole('link', { name: 'جهات الاتصال' }).first().click()
  await page.waitForURL('**/contacts')
  await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }))
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('link', { name: 'Contacts' }).first().waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
  expect(await page.evaluate(() => 'isTheSame' in globalThis)).toBe(true)
  expect(faults).toEqual([])
  await close()
})

test('a choice of language that is refused is said, and the page goes back to the one that is kept', async () => {
  const { page, close, faults, go, member } = await open()
  expect((await member.ask('PATCH', '/me', { language: 'en' })).status).toBe(200)
  await go('inbox')
  await page.route('**/api/me', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ detail: 'Not at the moment' }),
    }),
  )
  const readAnew = page.waitForRequest('**/api/session')
  await page.getByRole('button', { name: 'العربية' }).click()
  await page.getByText('Not at the moment').waitFor()
  expect((await readAnew).method()).toBe('GET')
  // The page is in the language that is kept.
  await page.getByRole('button', { name: 'العربية' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('an Agent has the pages of the work, and none of what is set up', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go()
  const navigation = page.getByRole('navigation', { name: 'Main navigation' }).first()
  await navigation.getByRole('link', { name: 'Inbox' }).waitFor()
  expect(await navigation.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  await close()
})

test('a company of another account is not shown', async () => {
  const other = await createShop(world, { phoneNumberId: '109999999999999' })
  const { page, close } = await open()
  await page.goto(`${world.url}/p/${other.companyId}/inbox`)
  await page.waitForURL(`**/p/${shop.companyId}`)
  expect(page.url()).toContain(shop.companyId)
  await close()
})

test('a member of two accounts goes to the other one, and sees nothing of the first there', async () => {
  const other = await createShop(world, { phoneNumberId: '109999999999998' })
  const { page, context, close, member, go } = await open()
  const { db, ids, clock } = world.service.context
  await db.kysely
    .insertInto('member')
    .values({
      id: ids.uuid(),
      accountId: other.accountId,
      personId: member.personId,
      role: 'agent',
      createdAt: clock.now(),
    })
    .execute()
  await db.kysely
    .updateTable('account')
    .set({ name: 'متجر آخر' })
    .where('id', '=', other.accountId)
    .execute()
  await go()
  const tab = await context.newPage()
  await tab.goto(`${world.url}/p/${shop.companyId}/contacts`)
  await tab.getByRole('heading', { name: 'Contacts' }).waitFor()
  await page.getByRole('button', { name: 'Account and projects' }).click()
  await page.getByRole('menuitem', { name: 'متجر آخر' }).click()
  await page.waitForURL(`**/p/${other.companyId}`)
  const navigation = page.getByRole('navigation', { name: 'Main navigation' }).first()
  await navigation.getByRole('link', { name: 'Inbox' }).waitFor()
  expect(await navigation.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  // Another tab goes along when it is loaded: the session works in one account at a time.
  await tab.reload()
  await tab.waitForURL(`**/p/${other.companyId}`)
  await close()
})

test('an endpoint that fails is marked in the side bar, and in nobody else’s', async () => {
  const { page, close, go } = await open()
  await go()
  const webhooks = page.getByRole('link', { name: 'Webhooks' }).first()
  await webhooks.waitFor()
  expect(await webhooks.getByRole('img').count()).toBe(0)
  await world.service.context.db.kysely
    .updateTable('endpointHealth')
    .set({ failuresInRow: 3, failingSince: world.clock.now() })
    .where('companyId', '=', shop.companyId)
    .execute()
  await page.reload()
  await webhooks.getByRole('img', { name: 'An endpoint fails' }).waitFor()
  await close()
})

test('who is not signed in is asked to, for the page that was asked for, and told what is wrong', async () => {
  const { page, context, close } = await open()
  await context.clearCookies()
  await page.goto(`${world.url}/p/${shop.companyId}/contacts`)
  await page.waitForURL('**/sign-in?next=*')
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/p/${shop.companyId}/contacts`)
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await close()
})

test('signing out ends the live stream at once', async () => {
  const { page, close, go } = await open()
  const isLive = (request: { url(): string }) => request.url().endsWith('/live')
  const opened = page.waitForRequest((request) => isLive(request))
  await go()
  await opened
  const ended = Promise.race([
    page.waitForEvent('requestfailed', (request) => isLive(request)),
    page.waitForEvent('requestfinished', (request) => isLive(request)),
  ])
  await page.getByRole('button', { name: /^Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  expect(isLive(await ended)).toBe(true)
  await close()
})

test('what the tab has kept of somebody’s work is read by nobody else', async () => {
  const { page, context, close, go } = await open()
  await go()
  const write = () => page.evaluate(() => sessionStorage.setItem('wasla.draft.1', 'Dear Sara'))
  const readDraft = () => page.evaluate(() => sessionStorage.getItem('wasla.draft.1'))
  await write()
  await page.reload()
  await page.getByRole('button', { name: /^Your menu/ }).waitFor()
  expect(await readDraft()).toBe('Dear Sara')
  // Somebody else signs in after a session that has run out.
  const elsewhere = await open({ role: 'agent' })
  await context.clearCookies()
  await context.addCookies(await elsewhere.context.cookies())
  await page.reload()
  await page.getByRole('button', { name: /^Your menu/ }).click()
  expect(await readDraft()).toBe(null)
  await write()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  await page.waitForFunction(() => sessionStorage.length === 0)
  await elsewhere.close()
  await close()
})

test('signing out in one tab leads the others to the sign-in, and back from there', async () => {
  const { page, context, close, go } = await open({ language: 'ar' })
  await go('contacts')
  const other = await context.newPage()
  await other.goto(page.url())
  await page.getByRole('button', { name: /^قائمتك/ }).click()
  await page.getByRole('menuitem', { name: 'خروج' }).click()
  await page.waitForURL('**/sign-in')
  await other.waitForURL('**/sign-in?next=*')
  expect(new URL(other.url()).searchParams.get('next')).toBe(`/p/${shop.companyId}/contacts`)
  await close()
})

test('is shown in no frame of another site, and posts to none', async () => {
  const { page, close } = await open()
  const answer = await page.goto(`${world.url}/sign-in`)
  const policy = answer!.headers()['content-security-policy']!
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("form-action 'self'")
  const site = `<iframe src="${world.url}/sign-in"></iframe>`
  await page.route('https://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: site }),
  )
  await page.goto('https://elsewhere.example/')
  const frame = page.frames()[1]!
  await frame.waitForLoadState()
  expect(await frame.getByRole('textbox').count()).toBe(0)
  await close()
})

test.each([
  { language: 'en', width: 1_440 },
  { language: 'ar', width: 1_440 },
  { language: 'en', width: 360 },
  { language: 'ar', width: 360 },
  { language: 'en', width: 1_440, theme: 'dark' },
] as const)(
  'axe finds nothing and nothing overflows: $language at $width px, $theme',
  async (look) => {
    const { page, close, go, faults } = await open(look)
    await go()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(faults).toEqual([])
    await close()
  },
)
