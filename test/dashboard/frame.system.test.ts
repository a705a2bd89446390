/** The first page of a company, and the frame of every page, in a real browser. Spec: Concepts › Roles; Dashboard › Live updates. */
import { expect, onTestFinished, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { setHold } from '../../src/modules/accounts/account-hold.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { appears, dashboardOf, HOSTILE, openDashboard } from '../support/dashboard-page.ts'
import { openWorld } from '../support/open-world.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addHandover } from '../support/records/handovers.ts'
import { addMember } from '../support/records/members.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { fill, pick, press, sees } from '../support/page-steps.ts'

const world = await openWorld()
const shop = await createShop(world)
const company = `/companies/${shop.companyId}`
const owner = await signedIn(world, shop)
for (const path of ['', `/flows/${shop.flowId}`, `/endpoints/${shop.endpointId}`]) {
  await owner.ask('PATCH', `${company}${path}`, { name: HOSTILE.slice(0, 60) })
}
const since = new Date(world.clock.now().getTime() - 64 * MINUTE_MS)
const conversationId = await addConversation(world, shop, {
  visitorName: HOSTILE,
  needsStaff: true,
  waitingSince: since,
})
await addHandover(
  world,
  { ...shop, conversationId },
  { reason: 'customer_upset', reasonText: HOSTILE, openedAt: since },
)

const open = dashboardOf(world, shop)

test('the first request of the merchant’s system appears on the open page, and stored script is text', async () => {
  const { page } = await open({ at: '' })
  await sees(page, /4.* of .*6.* done/)
  const listening = page.getByText('No requests yet')
  await listening.waitFor()
  await press(page, 'Copy')
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(
    'curl -X POST "$WASLA_HOOK_URL"',
  )
  await postHook(shop.hookUrl)
  await sees(page, /Response:/)
  expect(await listening.count()).toBe(0)
  await page.getByRole('link', { name: /img src=x/ }).waitFor()
})

test('the waiting time of a customer is shown, in Arabic too', async () => {
  const { page } = await open({ at: '', language: 'ar' })
  await page.getByRole('heading', { name: 'بانتظار موظف' }).waitFor()
  await page.getByText('بانتظار الرد منذ', { exact: false }).first().waitFor({ state: 'attached' })
  expect(await page.getByRole('heading', { name: 'النشاط' }).count()).toBe(1)
})

test('an Agent sees waiting customers, and neither the set-up nor the activity', async () => {
  const { page } = await open({ at: '', role: 'agent' })
  await page.getByRole('heading', { name: 'Waiting for a person' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Activity' }).count()).toBe(0)
  expect(await page.getByText('Send one to get started').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Invite a teammate' }).count()).toBe(0)
})

test('the page reads from right to left in Arabic, and changes its language without a reload', async () => {
  const { page } = await open({ at: 'inbox', language: 'ar' })
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await page.getByRole('link', { name: 'جهات الاتصال' }).first().click()
  await page.waitForURL('**/contacts')
  await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }))
  await press(page, 'English')
  await page.getByRole('link', { name: 'Contacts' }).first().waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
  expect(await page.evaluate(() => 'isTheSame' in globalThis)).toBe(true)
})

test('a refused choice of language is reported, and the page returns to the stored one', async () => {
  const { page, go, member } = await open()
  expect((await member.ask('PATCH', '/me', { language: 'en' })).status).toBe(200)
  await go('inbox')
  await page.route('**/api/me', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ detail: 'Not at the moment' }),
    }),
  )
  const invalidateAfter = page.waitForRequest('**/api/session')
  await press(page, 'العربية')
  await sees(page, 'Not at the moment')
  expect((await invalidateAfter).method()).toBe('GET')
  // The page is in the stored language.
  await page.getByRole('button', { name: 'العربية' }).waitFor()
})

test('a company of another account is not shown', async () => {
  const other = await createOwnShop(world)
  const { page } = await open()
  await page.goto(`${world.url}/p/${other.companyId}/inbox`)
  await page.waitForURL(`**/p/${shop.companyId}`)
  expect(page.url()).toContain(shop.companyId)
})

test('a member of two accounts switches to the other one, and sees nothing of the first there', async () => {
  const other = await createOwnShop(world)
  const boss = await signedIn(world, other)
  expect((await boss.ask('PATCH', '/account', { name: 'متجر آخر' })).status).toBe(200)
  const { page, context, member, go } = await open()
  await addMember(world, other, member, 'agent')
  await go()
  const tab = await context.newPage()
  await tab.goto(`${world.url}/p/${shop.companyId}/contacts`)
  await tab.getByRole('heading', { name: 'Contacts' }).waitFor()
  await pick(page, 'Account and projects', 'متجر آخر')
  await page.waitForURL(`**/p/${other.companyId}`)
  const navigation = page.getByRole('navigation', { name: 'Main navigation' }).first()
  await navigation.getByRole('link', { name: 'Inbox' }).waitFor()
  expect(await navigation.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  // Another tab switches too when it is reloaded: a session works in one account at a time.
  await tab.reload()
  await tab.waitForURL(`**/p/${other.companyId}`)
})

test('a person without a session signs in for the page that they opened, and wrong input is reported', async () => {
  const { page, context } = await open()
  await context.clearCookies()
  await page.goto(`${world.url}/p/${shop.companyId}/contacts`)
  await page.waitForURL('**/sign-in?next=*')
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/p/${shop.companyId}/contacts`)
  await fill(page, [
    ['Email', 'nobody@example.com'],
    [/^Password$/, 'not the password'],
  ])
  await press(page, 'Sign in')
  await page.getByRole('alert').waitFor()
})

test('signing out ends the live stream immediately', async () => {
  const { page, go } = await open()
  const isLive = (request: { url(): string }) => request.url().endsWith('/live')
  const opened = page.waitForRequest((request) => isLive(request))
  await go()
  await opened
  const ended = Promise.race([
    page.waitForEvent('requestfailed', (request) => isLive(request)),
    page.waitForEvent('requestfinished', (request) => isLive(request)),
  ])
  await pick(page, /^Account menu/, 'Sign out')
  await page.waitForURL('**/sign-in')
  expect(isLive(await ended)).toBe(true)
})

test('drafts that a tab keeps of one member are not readable by another', async () => {
  const { page, context } = await open({ at: '' })
  const write = () => page.evaluate(() => sessionStorage.setItem('wasla.draft.1', 'Dear Sara'))
  const readDraft = () => page.evaluate(() => sessionStorage.getItem('wasla.draft.1'))
  await write()
  await page.reload()
  await page.getByRole('button', { name: /^Account menu/ }).waitFor()
  expect(await readDraft()).toBe('Dear Sara')
  // Another member signs in after a session that has expired.
  const elsewhere = await open({ role: 'agent' })
  await context.clearCookies()
  await context.addCookies(await elsewhere.context.cookies())
  await page.reload()
  await press(page, /^Account menu/)
  expect(await readDraft()).toBe(null)
  await write()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  await page.waitForFunction(() => sessionStorage.length === 0)
})

test('signing out in one tab leads the others to the sign-in, and back from there', async () => {
  const { page, context } = await open({ at: 'contacts', language: 'ar' })
  const other = await context.newPage()
  await other.goto(page.url())
  await pick(page, /^قائمة حسابك/, 'تسجيل الخروج')
  await page.waitForURL('**/sign-in')
  await other.waitForURL('**/sign-in?next=*')
  expect(new URL(other.url()).searchParams.get('next')).toBe(`/p/${shop.companyId}/contacts`)
})

test('the dashboard is shown in no frame of another site, and posts to none', async () => {
  const { page } = await open()
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
})

/** The dashboard of a new shop, whose stream of changes does not begin before the test says so. */
async function openHeld() {
  const own = await createOwnShop(world)
  const opened = await openDashboard(world, own)
  const held = Promise.withResolvers<void>()
  await opened.page.route('**/live', async (route) => {
    await held.promise
    await route.continue()
  })
  const rename = async (name: string) => {
    const path = `/companies/${own.companyId}/flows/${own.flowId}`
    expect((await opened.member.ask('PATCH', path, { name })).status).toBe(200)
  }
  return { ...opened, own, rename, begin: () => held.resolve() }
}

test('a page shows what changed after it was read and before its stream began', async () => {
  const { page, go, begin, rename } = await openHeld()
  await go('flows')
  await page.getByRole('link', { name: 'Order is ready' }).waitFor()
  await rename('Named anew')
  begin()
  expect(await appears(page.getByRole('link', { name: 'Named anew' }))).toBe(true)
})

test('a page shows what changed while its first answer and the start of its stream were pending', async () => {
  const { page, own, begin, rename } = await openHeld()
  const read = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route(
    '**/flows?*',
    async (route) => {
      const response = await route.fetch()
      read.resolve()
      await answer.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto(`${world.url}/p/${own.companyId}/flows`)
  await read.promise
  await rename('Named anew')
  // The counts of the side bar are read again when the stream begins.
  const counted = page.waitForRequest('**/conversations/counts')
  begin()
  await counted
  answer.resolve()
  expect(await appears(page.getByRole('link', { name: 'Named anew' }))).toBe(true)
})

test.each([
  { as: 'leaving', language: 'en', title: 'This account is being moved to another server' },
  { as: 'moved', language: 'ar', title: 'نُقل هذا الحساب إلى خادم آخر' },
] as const)('every page says that the account is $as, in $language', async (the) => {
  const { kysely } = world.service.context.db
  await setHold(kysely, { accountId: shop.accountId, hold: the.as })
  onTestFinished(() => setHold(kysely, { accountId: shop.accountId, hold: null }))
  for (const at of ['', 'inbox']) {
    const { page } = await open({ at, language: the.language })
    const banner = page.getByRole('status').filter({ hasText: the.title })
    await banner.waitFor()
    expect(await banner.count()).toBe(1)
  }
})
