/** What each role is led to, and what stays shut to who comes by an address. Spec: Concepts › Roles. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appWords } from '../../src/dashboard/app/words.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import { startBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

let browser: Browser
let world: World
let shop: Shop

beforeAll(async () => {
  ;[world, browser] = await Promise.all([createWorld(), startBrowser()])
  shop = await createShop(world)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const OF_EVERYBODY = ['home', 'inbox', 'contacts', 'appointments', 'leads', 'flows'] as const
const OF_SET_UP = [
  'runs',
  'broadcasts',
  'templates',
  'webhooks',
  'connections',
  'actions',
  'developer_tools',
  'usage',
  'team',
  'audit',
  'plan',
  'settings',
  'channels',
] as const
const CASES = (['agent', 'admin', 'owner'] as const).flatMap((role) =>
  (['en', 'ar'] as const).map((language) => ({ role, language })),
)
const seenBy = (role: Role): readonly (keyof (typeof appWords)['en'])[] =>
  role === 'agent' ? OF_EVERYBODY : [...OF_EVERYBODY, ...OF_SET_UP]

test.each(CASES)('an $role sees their own pages and no other: $language', async (one) => {
  const { role, language } = one
  const { page, context, faults, go } = await openDashboard(browser, world, { ...shop, ...one })
  const say = spokenIn(language)
  await go()
  const navigation = page.getByRole('navigation', { name: say(appWords, 'navigation') }).first()
  const names = await navigation.getByRole('link').allInnerTexts()
  expect(names.map((name) => name.split('\n')[0])).toEqual(
    seenBy(role).map((word) => appWords[language][word]),
  )
  const paths = OF_SET_UP.map((word) => word.replace('_', '-'))
  for (const path of ['', ...OF_EVERYBODY.slice(1), ...paths]) {
    await page.goto(`${world.url}/p/${shop.companyId}/${path}`)
    await page.locator('main h1, main [role=alert]').first().waitFor()
    const isShut = role === 'agent' && paths.includes(path)
    const alert = page.locator('main').getByRole('alert')
    if (isShut) await alert.first().waitFor()
    else expect([path, await alert.allInnerTexts()]).toEqual([path, []])
    expect([path, isShut && (await page.locator('main table, main form').count())]).toEqual([
      path,
      isShut && 0,
    ])
  }
  expect(faults).toEqual([])
  await context.close()
})

test('only an Owner has what is theirs alone', async () => {
  const [owner, admin] = await Promise.all([
    openDashboard(browser, world, { ...shop, role: 'owner' }),
    openDashboard(browser, world, { ...shop, role: 'admin' }),
  ])
  for (const [{ page, go }, isOwn] of [
    [owner, true],
    [admin, false],
  ] as const) {
    await go('settings')
    const account = page.getByLabel('Name of the account')
    expect(await account.isDisabled()).toBe(!isOwn)
    await go('team')
    const row = page.getByRole('row').filter({ hasText: admin.member.email })
    expect(await row.getByRole('button', { name: 'Change role' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Invite a colleague' }).click()
    const asOwner = page.getByRole('dialog').getByLabel('Owner', { exact: true })
    expect(await asOwner.isDisabled()).toBe(!isOwn)
  }
  await owner.context.close()
  await admin.context.close()
})
