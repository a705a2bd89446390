/** What each role is led to, and what stays shut to who comes by an address. Spec: Concepts › Roles. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appWords } from '../../src/dashboard/app/words.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import { openDashboard } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { spokenIn } from '../support/spoken.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})

const OF_EVERYBODY = ['home', 'inbox', 'contacts', 'appointments', 'leads', 'flows'] as const
const OF_SET_UP = [
  'runs',
  'broadcasts',
  'assistant',
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
const CASES = [
  { role: 'agent', language: 'en' },
  { role: 'agent', language: 'ar' },
  { role: 'admin', language: 'ar' },
  { role: 'owner', language: 'en' },
] as const
/** Agents read why the assistant answered as it did, and change nothing of it. */
const seenBy = (role: Role): readonly (keyof (typeof appWords)['en'])[] =>
  role === 'agent' ? [...OF_EVERYBODY, 'assistant'] : [...OF_EVERYBODY, ...OF_SET_UP]

test.each(CASES)('an $role sees their own pages and no other: $language', async (one) => {
  const { role, language } = one
  const { page, close, faults, go } = await openDashboard(world, { ...shop, ...one })
  const say = spokenIn(language)
  await go()
  const navigation = page.getByRole('navigation', { name: say(appWords, 'navigation') }).first()
  const names = await navigation.getByRole('link').allInnerTexts()
  expect(names.map((name) => name.split('\n')[0])).toEqual(
    seenBy(role).map((word) => appWords[language][word]),
  )
  for (const word of [...OF_EVERYBODY.slice(1), ...OF_SET_UP]) {
    await go(word.replace('_', '-'))
    const isShut = !seenBy(role).includes(word)
    expect([word, await page.getByText(say(appWords, 'not_yours')).count()]).toEqual([
      word,
      isShut ? 1 : 0,
    ])
    // Neither is anything asked for that the role may not have.
    expect([word, await page.getByRole('alert').allInnerTexts()]).toEqual([word, []])
    if (isShut) expect(await page.locator('main :is(table, form, button)').count()).toBe(0)
  }
  expect(faults).toEqual([])
  await close()
})

test('only an Owner has what is theirs alone', async () => {
  const [owner, admin] = await Promise.all([
    openDashboard(world, { ...shop, role: 'owner' }),
    openDashboard(world, { ...shop, role: 'admin' }),
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
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Admin/ }).waitFor()
    expect(await dialog.getByRole('radio', { name: /^Owner/ }).count()).toBe(isOwn ? 1 : 0)
  }
  await owner.close()
  await admin.close()
})
