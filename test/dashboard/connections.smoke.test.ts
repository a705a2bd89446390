/** Channels and templates, connections, calls and AI actions, in a real browser. Spec: Concepts › Channel; Concepts › Template; Calls › Connections; Calls › AI actions. */
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import {
  appears,
  dashboardOf,
  findFlaws,
  HOSTILE,
  openDashboard,
} from '../support/dashboard-page.ts'
import { addCalls } from '../support/records/calls.ts'
import { putChannel } from '../support/records/channels.ts'
import { putTemplates } from '../support/records/templates.ts'
import { playMessaging } from '../support/messaging.ts'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import { numberOf, simulateWhatsApp } from '../support/simulator.ts'
import { json, startShopApi } from '../support/shop-api.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'

const { world, shop, owner } = await openOwnedShop()
await putChannel(world, shop.channelId, { name: HOSTILE })
await putTemplates(world, shop, {
  components: JSON.stringify([
    { type: 'HEADER', format: 'VIDEO' },
    { type: 'BODY', text: `${HOSTILE} {{1}}` },
  ]),
})

const open = dashboardOf(world, shop)

test('a number is connected: what is wrong stands at its field, in the words of the language', async () => {
  const { page } = await open({ at: 'channels/connect', language: 'ar' })
  await page.getByRole('link', { name: /^واتساب يلزم/ }).click()
  await page.getByLabel('الاسم').fill('الرياض')
  await page.getByLabel('معرّف رقم الهاتف').fill('not a number')
  await page.getByRole('button', { name: 'ربط', exact: true }).click()
  await page.getByText(/بقي(ت)? .*تصحيح/).waitFor()
  expect(await page.getByLabel('معرّف رقم الهاتف').getAttribute('aria-invalid')).toBe('true')
  // What was left empty is told with it, not one after another.
  expect(await page.locator('input[aria-invalid="true"]').count()).toBe(5)
})

test('a page of Messenger is connected, and what to paste at Meta stands there once', async () => {
  const played = await playMessaging(world, 'messenger')
  onTestFinished(() => played.close())
  played.simulator.addAccount({
    id: '100000000000077',
    name: 'Riyadh shop',
    accessToken: 'EAAG-right',
    appSecret: 'secret',
    webhookUrl: `${world.url}/webhooks/messenger`,
  })
  const { page } = await open({ at: 'channels/connect' })
  await page.getByRole('link', { name: /^Messenger/ }).click()
  await page.getByLabel('Name').fill('Our page')
  await page.getByLabel('Page ID').fill('100000000000078')
  await page.getByLabel('Page access token').fill('EAAG-right')
  await page.getByLabel('App secret').fill('secret')
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await connect.click()
  await appears(page.getByText(/This access token belongs to another page/).first())
  await page.getByLabel('Page ID').fill('100000000000077')
  await connect.click()
  await page.getByText(`${world.url}/webhooks/messenger`).waitFor()
  await page.getByText(/The verify token won’t be shown again/).waitFor()
  await page.getByText('messages, messaging_postbacks').waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  // The token is right, but this service is on a machine that Meta does not reach.
  await page.getByText('The check found a problem').waitFor()
  await page.getByText(/the provider can’t reach .*webhooks\/messenger/).waitFor()
  await page.getByRole('link', { name: 'Go to channel' }).click()
  await page.getByText(/A question can have up to .*13.* buttons/).waitFor()
  expect(await page.getByText(/The verify token won’t be shown again/).count()).toBe(0)
})

test('a secret is replaced, and goes with no other save; what follows is told before a channel is disconnected', async () => {
  const whatsApp = await simulateWhatsApp(world)
  onTestFinished(() => whatsApp.close())
  // Meta knows the new secret already.
  whatsApp.simulator.addNumber(numberOf(shop, world.url, { appSecret: 'another-app-secret' }))
  const { page } = await open({ at: 'channels', role: 'admin' })
  await page.getByRole('link', { name: HOSTILE }).click()
  await page.getByText('You can message customers first, using a template.').waitFor()
  const secret = page.getByLabel(/^Replace .*app secret/i)
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
  await page.getByText('Channel saved').waitFor()
  expect(await save()).toEqual({})
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/channel_unavailable/).waitFor()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText(/^Disconnected: nothing is sent/).waitFor()
  expect(await appears(page.getByRole('button', { name: 'Reconnect' }).first())).toBe(true)
})

test('a template is tried with values, why a flow cannot send it is told, and one that is filtered out is not called unread', async () => {
  const { page, go } = await open({ at: 'templates' })
  const sync = page.getByRole('listitem').filter({ hasText: HOSTILE })
  await sync.getByText('Last synced').waitFor()
  await page.getByRole('table').getByRole('button').first().click()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByText('Flows can’t send this template').waitFor()
  await preview.getByText(/VIDEO/).waitFor()
  await preview.getByRole('textbox').fill('Maha')
  await preview.getByText('Maha', { exact: true }).waitFor()
  await go('templates?status=REJECTED')
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  await sync.getByText('No results.').waitFor()
  expect(await page.getByText('Not synced yet').count()).toBe(0)
})

const TOKEN = 'sk_live_never_shown_1234'

const api = await startShopApi(world)
afterAll(() => api.close())

test('a secret among the default headers is named, and is kept as the credential instead', async () => {
  const { page } = await open({ at: 'connections/new', language: 'ar' })
  await page.getByRole('button', { name: 'إضافة ترويسة' }).click()
  await page.getByLabel('الترويسة 1').fill('X-Shop-Key')
  await page.getByLabel('القيمة 1').fill('abc1234')
  await page.getByText(/تبدو الترويسة .*X-Shop-Key.* سرّية/).waitFor()
  await page.getByRole('button', { name: 'حفظها ضمن بيانات الدخول' }).click()
  expect(await page.getByLabel('اسم الترويسة').inputValue()).toBe('X-Shop-Key')
  expect(await page.getByLabel('المفتاح', { exact: true }).inputValue()).toBe('abc1234')
  expect(await page.getByLabel('الترويسة 1').count()).toBe(0)
  await page.getByText(/^أقصر من الحد اللازم .*، لذلك نخفيه في مواضع أقل\.$/).waitFor()
})

test('a connection is made, tested, used by an action, and not deleted while it is used', async () => {
  const { page, go } = await open({ at: 'connections' })
  await page.getByRole('link', { name: 'New connection' }).click()
  await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
  await page.getByLabel('Base URL').fill('http://example.com')
  await page.getByLabel('Token').fill('abc1234')
  const short = page.getByText(
    /^Shorter than .*8.* characters, so we can hide it in fewer places\.$/,
  )
  await short.waitFor()
  await page.getByLabel('Token').fill(TOKEN)
  await short.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Create connection' }).click()
  await page.getByText('1 problem to fix').waitFor()
  await page.getByLabel('Base URL').fill(api.baseUrl)
  await page.getByRole('button', { name: 'Create connection' }).click()
  await page.waitForURL(/connections\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()

  api.reply(json(200, { order: { status: HOSTILE, key: TOKEN } }))
  await page.getByLabel('Path', { exact: true }).fill('/orders/1043')
  await page.getByRole('button', { name: 'Send GET request' }).click()
  await page.getByText('Succeeded', { exact: true }).waitFor()
  const shown = await page.locator('main').innerText()
  expect(shown).toContain(HOSTILE.replaceAll('"', '\\"'))
  expect(shown).not.toContain(TOKEN)
  expect(shown).toContain('…1234')

  await go('actions/new')
  await page.getByLabel('Tool name').fill('order_status')
  await page.getByLabel('Description').first().fill('Looks up an order.')
  await page.getByLabel('Connection', { exact: true }).first().click()
  await page.getByRole('option', { name: HOSTILE }).click()
  await page.getByLabel('Path', { exact: true }).fill('/orders/{{args.order}}')
  await page.getByRole('button', { name: 'Add parameter' }).click()
  await page.getByLabel('Name', { exact: true }).fill('phone')
  await page.getByText(/Don’t ask who the customer is/).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('order')
  await page.getByLabel('Description for the assistant').fill('The number of the order')
  const told = page.getByLabel('Confirmation text in Arabic')
  await told.fill('ألغي الطلب {{args.other}}؟')
  await page.getByRole('button', { name: 'Create action' }).click()
  await appears(page.getByText(/args\.other/).last())
  await told.fill('ألغي الطلب {{args.order}}؟')
  await page.getByRole('button', { name: 'Create action' }).click()
  await page.waitForURL(/actions\/[0-9a-f-]{36}$/)
  expect(await page.getByLabel('Confirmation text in Arabic').inputValue()).toBe(
    'ألغي الطلب {{args.order}}؟',
  )
  await page.getByLabel('order', { exact: true }).fill('1043')
  await page.getByText('GET /orders/1043').waitFor()
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('Exactly what the assistant reads').waitFor()
  await page.getByRole('button', { name: /Show .*order\.status/ }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()

  await go('connections')
  await page.getByRole('link', { name: HOSTILE }).click()
  await page.getByText('order_status').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Remove it from these first').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
})

test('calls are filtered in the address, in Arabic', async () => {
  const path = `/companies/${shop.companyId}/connections`
  const { body } = await owner.ask<{ items: ConnectionView[] }>('GET', path)
  api.reply(json(404, {}))
  await owner.ask('POST', `${path}/${body.items[0]!.id}/test`, { path: '/missing' })
  const { page } = await open({ at: 'connections/calls?outcome=failed', language: 'ar' })
  await page.getByText('/api/missing').waitFor()
  await page.getByText('رد الخادم بخطأ').waitFor()
  expect(await page.getByText('/orders/1043').count()).toBe(0)
  await page.getByLabel(/رمز الرد/).fill('500')
  await page.waitForURL(/status=/)
  await page.getByRole('button', { name: 'مسح التصفية' }).click()
  await page.getByText('/api/orders/1043').first().waitFor()
})

test.each([
  ['en', 1_440, /1.*call.*1.*failed/],
  ['ar', 360, /طلب.*فشل واحد/],
] as const)('the list tells how calls went: %s at %i px', async (language, width, told) => {
  const { shop: other, owner: itsOwner } = await ownedShop(world)
  const path = `/companies/${other.companyId}/connections`
  const input = { name: 'Orders', baseUrl: api.baseUrl }
  const { body } = await itsOwner.ask<ConnectionView>('POST', path, input)
  api.reply(json(404, {}))
  // A test is in the log, and no call that counts.
  await itsOwner.ask('POST', `${path}/${body.id}/test`, { path: '/missing' })
  await addCalls(world, { ...other, connectionId: body.id }, { error: 'http_error', status: 500 })
  const { page } = await openDashboard(world, { ...other, language, width, at: 'connections' })
  const link = page.getByRole('link', { name: told }).first()
  await link.waitFor()
  expect(await findFlaws(page)).toEqual([])
  await link.click()
  await page.waitForURL(new RegExp(`calls.*${body.id}`))
  await page.getByText('/api/missing').first().waitFor()
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
  { language: 'en', path: 'connections' },
  { language: 'ar', path: 'connections/new', width: 360 },
  { language: 'ar', path: 'connections/calls', width: 768 },
  { language: 'ar', path: 'actions' },
  { language: 'en', path: 'actions/new', width: 360 },
] as const)('no barriers, no overflow: $path in $language', async (look) => {
  const at = look.path === 'one' ? `channels/${shop.channelId}` : look.path
  const { page } = await open({ at, ...look })
  expect(await findFlaws(page)).toEqual([])
})
