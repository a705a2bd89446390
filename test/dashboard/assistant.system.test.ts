/** What the assistant is told, in a real browser. Spec: Assistant › Settings. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AssistantView } from '../../src/contract/dashboard/assistant.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true"><script>isHurt=true</script>'

let world: World
let shop: Shop
let owner: Member
let at: string

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}/assistant`
})
afterAll(async () => {
  await world.close()
})
beforeEach(async () => {
  await world.service.context.db.kysely.deleteFrom('assistant').execute()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })
const show = async () => (await owner.ask<AssistantView>('GET', at)).body

test('is told who it is, saved, switched on, and says that it has no model', async () => {
  const { page, close, faults, go } = await open()
  await go('assistant')
  await page.getByText('Switched off', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Noor')
  await page.getByLabel('About the business').fill('Dresses by measure.')
  await page.getByText('Formal').click()
  await page.getByLabel('Language when in doubt').getByText('English').click()
  await page.getByLabel('Waits for a further message, seconds').fill('5')
  await page.getByLabel('English, while you are closed').fill('We open at nine.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  // What is written and not saved yet stays when it is switched on.
  await page.getByLabel('How it shall act').fill('No discounts.')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('No model: the assistant is off, staff answers').waitFor()
  expect(await page.getByLabel('How it shall act').inputValue()).toBe('No discounts.')
  expect(await show()).toMatchObject({
    isOn: true,
    name: 'Noor',
    profile: 'Dresses by measure.',
    guidance: '',
    tone: 'formal',
    language: 'en',
    gatherMs: 5_000,
    texts: { en: { inHours: null, outOfHours: 'We open at nine.' } },
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await waitUntil('it is saved', async () => (await show()).revision === 3)
  expect(await show()).toMatchObject({ guidance: 'No discounts.', revision: 3 })
  expect(faults).toEqual([])
  await close()
})

test('what is too long stands at its field in Arabic, and what somebody else saved is shown', async () => {
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go('assistant')
  await page.getByLabel('الاسم', { exact: true }).fill('ن'.repeat(61))
  await page.getByRole('button', { name: 'حفظ' }).click()
  await page.getByText('بقي تصحيح واحد').waitFor()
  await page.getByLabel('الاسم', { exact: true }).fill('نور')
  await owner.ask('PATCH', at, { revision: 0, name: 'Sami' })
  await page.getByRole('button', { name: 'حفظ' }).click()
  await page.getByText('حفظ شخص آخر هذه الإعدادات').waitFor()
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('نور')
  await page.getByRole('button', { name: 'عرض الأحدث' }).click()
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('Sami')
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('an Agent reads it and can change nothing', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go('assistant')
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: /Save|Switch on/ }).count()).toBe(0)
  await close()
})

for (const language of ['en', 'ar'] as const) {
  for (const width of [360, 1_440]) {
    test(`axe finds nothing, nothing overflows, what was written is text: ${language} at ${width}`, async () => {
      const texts = { inHours: HOSTILE, outOfHours: HOSTILE }
      await owner.ask('PATCH', at, {
        revision: 0,
        name: HOSTILE.slice(0, 60),
        profile: HOSTILE,
        guidance: HOSTILE,
        leadCriteria: HOSTILE,
        tags: [HOSTILE.slice(0, 50)],
        texts: { ar: texts, en: texts },
      })
      const { page, close, faults, go } = await open({ language, width })
      await go('assistant')
      expect(await overflowOf(page)).toBe(0)
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
      expect(faults).toEqual([])
      await close()
    })
  }
}
