/** Trying the assistant out, and a suggested reply, in a real browser. Spec: Assistant › Trying it out. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAssisted, type Assisted, type AssistedShop } from '../support/assistant.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { call, say } from '../support/model-turns.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHurt=true"><script>isHurt=true</script>'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
})
afterAll(async () => {
  await assisted.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(assisted.world, { ...shop, ...options })

test('an Owner asks as a customer, and sees what would be said and what was only shown', async () => {
  const { page, close, faults, go } = await open()
  await go('assistant/try')
  await page.getByLabel('How it shall act').fill('Never speak of discounts.')
  assisted.model.script(call('record_lead', { score: 80 }), say('We have two left.'))
  await page.getByLabel('Write as a customer').fill('Do you have the blue dress?')
  await page.getByLabel('Write as a customer').press('Enter')
  await page.getByText('We have two left.').first().waitFor()
  await page.getByText('Why, and what was only shown').click()
  await page.getByText('Noted a lead').waitFor()
  assisted.model.script(call('hand_over', { reason: 'customer_upset' }, 'A colleague comes.'))
  await page.getByLabel('Write as a customer').fill('This takes far too long!')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('Would hand over').waitFor()
  expect(faults).toEqual([])
  await close()
})

for (const language of ['en', 'ar'] as const) {
  for (const width of [360, 1_440]) {
    test(`axe finds nothing, nothing overflows, what was said is text: ${language} at ${width}`, async () => {
      const { page, close, faults, go } = await open({ language, width })
      await go('assistant/try')
      assisted.model.script(call('search_knowledge', { wordings: [HOSTILE] }), say(HOSTILE))
      await page.locator('main form textarea').fill(HOSTILE)
      await page.locator('main form textarea').press('Enter')
      await page.locator('main details summary').first().click()
      expect(await overflowOf(page)).toBe(0)
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(() => 'isHurt' in globalThis)).toBe(false)
      expect(faults).toEqual([])
      await close()
    })
  }
}

test('an Agent is given a suggestion in Arabic, and sends it or not', async () => {
  const customer = shop.customer()
  await customer.says('بكم التوصيل؟')
  const { id } = await customer.conversation()
  await assisted.world.database.db.kysely
    .updateTable('conversation')
    .set({ handledBy: 'staff' })
    .where('id', '=', id)
    .execute()
  const { page, close, faults, go } = await open({ role: 'agent', language: 'ar' })
  await go(`inbox/${encodeURIComponent(id)}`)
  assisted.model.script(say('التوصيل مجاني.'))
  await page.getByRole('button', { name: 'رد مقترح' }).click()
  const field = page.getByLabel('رد', { exact: true })
  await field.and(page.locator(':not(:placeholder-shown)')).waitFor()
  expect(await field.inputValue()).toBe('التوصيل مجاني.')
  expect(await customer.got()).toEqual([])
  expect(faults).toEqual([])
  await close()
})
