/** Connecting a Telegram bot and what its page tells, in a real browser. Spec: Channels › Telegram. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newToken,
  simulateTelegram,
  type SimulatedTelegram,
  type TelegramShop,
} from '../support/telegram.ts'

const SCRIPT = `"><img src=x onerror=alert(1)>`

let world: World
let provider: SimulatedTelegram
let shop: TelegramShop
beforeAll(async () => {
  world = await createWorld()
  provider = await simulateTelegram(world)
  shop = await provider.openShop()
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

test('a bot is connected by its token, in Arabic, and says by what name it goes', async () => {
  const token = newToken()
  const { page, go, close, faults } = await open({ language: 'ar' })
  await go('channels/connect')
  await page.getByRole('link', { name: /^تيليجرام/ }).click()
  await page.getByLabel('الاسم').fill(SCRIPT)
  await page.getByLabel('رمز البوت').fill(token)
  const connect = page.getByRole('button', { name: 'ربط', exact: true })
  await connect.click()
  await page
    .getByText(/لا يقبل تيليجرام رمز البوت هذا/)
    .first()
    .waitFor()
  expect(await page.getByLabel('رمز البوت').getAttribute('aria-invalid')).toBe('true')
  expect(await findBarriers(page)).toEqual([])
  provider.telegram.addBot({ token, name: SCRIPT, username: 'riyadh_bot' })
  await connect.click()
  await page.getByRole('button', { name: 'تحقّق الآن' }).click()
  await page.getByText('@riyadh_bot').waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(faults.filter((fault) => !/422/.test(fault))).toEqual([])
  await close()
})

test('its page tells what keeps messages away, and by a choice they come in the other way', async () => {
  const { page, go, close, faults } = await open()
  provider.telegram.letAstray(shop.botId, 'getUpdates', {
    refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' },
  })
  await provider.hear()
  await go(`channels/${shop.channel.id}`)
  await page.getByText(/Another program asks Telegram for the messages of this bot/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByLabel('How messages come').selectOption('webhook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('dd').getByText('Telegram posts to the service').waitFor()
  await expect
    .poll(async () => {
      const row = await world.database.db.kysely
        .selectFrom('channel')
        .select('settings')
        .where('id', '=', shop.channel.id)
        .executeTakeFirstOrThrow()
      return row.settings
    })
    .toBe(JSON.stringify({ delivery: 'webhook' }))
  await provider.hear()
  provider.telegram.sendText(shop.newChat({ firstName: SCRIPT }), 'by a post')
  await provider.telegram.idle()
  await go('inbox')
  await page.getByText('by a post').waitFor()
  expect(faults).toEqual([])
  await close()
})
