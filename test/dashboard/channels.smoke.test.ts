/** Channels and templates, in a real browser. Spec: Concepts › Channel; Concepts › Template. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECOND_MS } from '../../src/limits/units.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { playMessaging } from '../support/messaging.ts'
import { createShop, type Shop } from '../support/shop.ts'

const SCRIPT = `"><img src=x onerror=alert(1)>`

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  await world.database.db.kysely
    .updateTable('channel')
    .set({ name: SCRIPT })
    .where('id', '=', shop.channelId)
    .execute()
  await world.database.db.kysely
    .updateTable('template')
    .set({
      components: JSON.stringify([
        { type: 'HEADER', format: 'VIDEO' },
        { type: 'BODY', text: `${SCRIPT} {{1}}` },
      ]),
    })
    .where('channelId', '=', shop.channelId)
    .execute()
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

test('a number is connected: what is wrong stands at its field, in the words of the language', async () => {
  const { page, go, close } = await open({ language: 'ar' })
  await go('channels/connect')
  await page.getByRole('link', { name: /^واتساب يلزم/ }).click()
  await page.getByLabel('الاسم').fill('الرياض')
  await page.getByLabel('معرّف رقم الهاتف').fill('not a number')
  await page.getByRole('button', { name: 'ربط', exact: true }).click()
  await page.getByText(/بقي(ت)? .*تصحيح/).waitFor()
  expect(await page.getByLabel('معرّف رقم الهاتف').getAttribute('aria-invalid')).toBe('true')
  // What was left empty is told with it, not one after another.
  expect(await page.locator('input[aria-invalid="true"]').count()).toBe(5)
  await close()
})

test('a page of Messenger is connected, and what to paste at Meta stands there once', async () => {
  const played = await playMessaging(world, 'messenger')
  played.simulator.addAccount({
    id: '100000000000077',
    name: 'Riyadh shop',
    accessToken: 'EAAG-right',
    appSecret: 'secret',
    webhookUrl: `${world.url}/webhooks/messenger`,
  })
  const { page, go, close, faults } = await open()
  await go('channels/connect')
  await page.getByRole('link', { name: /^Messenger/ }).click()
  await page.getByLabel('Name').fill('Our page')
  await page.getByLabel('Page ID').fill('100000000000078')
  await page.getByLabel('Page access token').fill('EAAG-right')
  await page.getByLabel('App secret').fill('secret')
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await connect.click()
  await page
    .getByText(/The access token is of another page/)
    .first()
    .waitFor()
  await page.getByLabel('Page ID').fill('100000000000077')
  await connect.click()
  await page.getByText(`${world.url}/webhooks/messenger`).waitFor()
  await page.getByText(/The verify token is not shown again/).waitFor()
  await page.getByText('messages, messaging_postbacks').waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The provider accepts it').waitFor()
  await page.getByRole('link', { name: 'To the channel' }).click()
  await page.getByText(/A question may have .*13.* buttons/).waitFor()
  expect(await page.getByText(/The verify token is not shown again/).count()).toBe(0)
  // What the API refused is told in the browser's log, and nothing else is.
  expect(faults.filter((fault) => !/422/.test(fault))).toEqual([])
  await close()
  await played.close()
})

test('a secret that was replaced stands in its field no more, and goes with no other save', async () => {
  const { page, go, close, faults } = await open({ role: 'admin' })
  await go(`channels/${shop.channelId}`)
  const secret = page.getByLabel(/App secret.*replace it/)
  const save = async () => {
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ])
    return sent.postDataJSON() as object
  }
  // What is stored is later than what is shown.
  world.clock.advance(SECOND_MS)
  await secret.fill('another-app-secret')
  // Nothing else is sent: others may have changed it.
  expect(await save()).toEqual({ credentials: { appSecret: 'another-app-secret' } })
  await expect.poll(() => secret.inputValue()).toBe('')
  expect(await save()).toEqual({})
  expect(faults).toEqual([])
  await close()
})

test('what signs for a channel is replaced; it is disconnected after its consequence is told', async () => {
  const { page, go, close, faults } = await open({ role: 'admin' })
  await go('channels')
  await page.getByRole('link', { name: SCRIPT }).click()
  await page.getByText('You can write first, with a template.').waitFor()
  await page.getByLabel(/App secret.*replace it/).fill('another-app-secret')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Channel saved').waitFor()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/channel_unavailable/).waitFor()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText(/^Disconnected: nothing is sent/).waitFor()
  await page.getByRole('button', { name: 'Reconnect' }).first().waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('a template is tried with values, and why a flow cannot send it is told', async () => {
  const { page, go, close, faults } = await open()
  await go('templates')
  await page.getByRole('table').getByRole('button').first().click()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByText('A flow cannot send this template').waitFor()
  await preview.getByText(/VIDEO/).waitFor()
  await preview.getByRole('textbox').fill('Maha')
  await preview.getByText('Maha', { exact: true }).waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('of templates that no filter lets through it is not said that they were never read', async () => {
  const { page, go, close, faults } = await open()
  await go('templates')
  const sync = page.getByRole('listitem').filter({ hasText: SCRIPT })
  await sync.getByText('Last read').waitFor()
  await go('templates?status=REJECTED')
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  await sync.getByText('Nothing matches.').waitFor()
  expect(await page.getByText('Not read yet').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('an Agent is shown neither', async () => {
  const { page, go, close } = await open({ role: 'agent' })
  await go()
  expect(await page.getByRole('link', { name: 'Channels' }).count()).toBe(0)
  await page.goto(`${world.url}/p/${shop.companyId}/channels`)
  await page.getByText('Only an Owner or Admin sees this page.').waitFor()
  await close()
})

test.each([
  { language: 'en', path: 'channels' },
  { language: 'en', path: 'channels/connect' },
  { language: 'ar', path: 'channels/connect/whatsapp', width: 390 },
  { language: 'ar', path: 'channels/connect/instagram', theme: 'dark' },
  { language: 'en', path: 'channels/connect/messenger', width: 390 },
  { language: 'ar', path: 'one', theme: 'dark' },
  { language: 'en', path: 'templates' },
  { language: 'ar', path: 'templates', width: 390 },
] as const)('axe finds nothing and nothing overflows: $path in $language', async (look) => {
  const { page, go, close, faults } = await open(look)
  await go(look.path === 'one' ? `channels/${shop.channelId}` : look.path)
  expect(await findBarriers(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  expect(faults).toEqual([])
  await close()
})
