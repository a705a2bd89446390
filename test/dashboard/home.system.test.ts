/** The first page of a company, in a real browser. Spec: Concepts › Roles. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { askHook } from '../support/ask-hook.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHacked=1">'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  const { kysely } = world.database.db
  await kysely.updateTable('company').set({ name: HOSTILE }).execute()
  await kysely.updateTable('flow').set({ name: HOSTILE }).execute()
  await kysely.updateTable('endpoint').set({ name: HOSTILE }).execute()
  const at = new Date(world.clock.now().getTime() - 64 * MINUTE_MS)
  await sql`insert into conversation
    (id, company_id, channel_id, channel_type, filed_under, visitor_name, needs_staff, waiting_since, created_at)
    values ('c1', ${shop.companyId}, ${shop.channelId}, 'whatsapp', 'c1', ${HOSTILE}, true, ${at}, ${at})`.execute(
    kysely,
  )
  await sql`insert into handover (id, company_id, conversation_id, reason, reason_text, opened_at)
    values (${world.service.context.ids.uuid()}, ${shop.companyId}, 'c1', 'customer_upset', ${HOSTILE}, ${at})
    `.execute(kysely)
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

test('the first request of the merchant’s system arrives while one looks, and stored script is text', async () => {
  const { page, close, faults, go } = await open()
  await go()
  await page.getByText(/4.* of .*6.* done/).waitFor()
  const listening = page.getByText('Nothing received yet')
  await listening.waitFor()
  await page.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(
    'curl -X POST "$WASLA_HOOK_URL"',
  )
  await askHook(shop.hookUrl)
  await page.getByText(/and was answered/).waitFor()
  expect(await listening.count()).toBe(0)
  await page.getByRole('link', { name: /img src=x/ }).waitFor()
  expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await close()
})

test('how long a customer waits is told, in Arabic too', async () => {
  const { page, close, go } = await open({ language: 'ar' })
  await go()
  await page.getByRole('heading', { name: 'بانتظار شخص' }).waitFor()
  await page.getByText('ينتظر منذ', { exact: false }).first().waitFor({ state: 'attached' })
  expect(await page.getByRole('heading', { name: 'اليوم' }).count()).toBe(1)
  await close()
})

test('an Agent sees who waits, and neither the set-up nor the day', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go()
  await page.getByRole('heading', { name: 'Needs a person' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Today' }).count()).toBe(0)
  expect(await page.getByText('Send one request').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Invite a colleague' }).count()).toBe(0)
  await close()
})

test.each([
  { language: 'en', width: 1_440, theme: 'light' },
  { language: 'ar', width: 360, theme: 'light' },
  { language: 'ar', width: 768, theme: 'dark' },
] as const)(
  'axe finds nothing and nothing overflows: $language at $width px, $theme',
  async (look) => {
    const { page, close, go } = await open(look)
    await go()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await close()
  },
)
