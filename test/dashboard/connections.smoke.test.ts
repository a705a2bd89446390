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
import { fill, follow, press, sees } from '../support/page-steps.ts'

const { world, shop, owner } = await openOwnedShop()
await putChannel(world, shop.channelId, { name: HOSTILE })
await putTemplates(world, shop, {
  components: JSON.stringify([
    { type: 'HEADER', format: 'VIDEO' },
    { type: 'BODY', text: `${HOSTILE} {{1}}` },
  ]),
})

const open = dashboardOf(world, shop)

test('a number is connected, and errors are shown at their fields in the chosen language', async () => {
  const { page } = await open({ at: 'channels/connect', language: 'ar' })
  await follow(page, /^واتساب يلزم/)
  await fill(page, { الاسم: 'الرياض', 'معرّف رقم الهاتف': 'not a number' })
  await press(page, /^ربط$/)
  await sees(page, /بقي(ت)? .*تصحيح/)
  expect(await page.getByLabel('معرّف رقم الهاتف').getAttribute('aria-invalid')).toBe('true')
  // All fields that were left empty are marked together, not one after another.
  expect(await page.locator('input[aria-invalid="true"]').count()).toBe(5)
})

test('a page of Messenger is connected, and what to paste at Meta is shown once', async () => {
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
  await follow(page, /^Messenger/)
  await fill(page, { Name: 'Our page', 'Page ID': '100000000000078' })
  await fill(page, { 'Page access token': 'EAAG-right', 'App secret': 'secret' })
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await connect.click()
  await appears(page.getByText(/This access token belongs to another page/).first())
  await page.getByLabel('Page ID').fill('100000000000077')
  await connect.click()
  await sees(page, `${world.url}/webhooks/messenger/00`, /The verify token won’t be shown again/)
  await sees(page, 'messages, messaging_postbacks')
  await press(page, 'Check now')
  // The token is right, but this service is on a machine that Meta does not reach.
  await sees(page, 'The check found a problem', /the provider can’t reach .*webhooks\/messenger/)
  await follow(page, 'Go to channel')
  await sees(page, /A question can have up to .*13.* buttons/)
  expect(await page.getByText(/The verify token won’t be shown again/).count()).toBe(0)
})

test('a secret is replaced without any other change; disconnecting a channel says first what follows', async () => {
  const whatsApp = await simulateWhatsApp(world)
  onTestFinished(() => whatsApp.close())
  // Meta knows the new secret already.
  whatsApp.simulator.addNumber(numberOf(shop, world.url, { appSecret: 'another-app-secret' }))
  const { page } = await open({ at: 'channels', role: 'admin' })
  await follow(page, HOSTILE)
  await sees(page, 'You can message customers first, using a template.')
  const secret = page.getByLabel('App secret', { exact: true })
  const save = async () => {
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ])
    return sent.postDataJSON() as object
  }
  // The stored version is later than the shown one.
  world.clock.advance(SECOND_MS)
  await secret.fill('another-app-secret')
  // Nothing else is sent: others may have changed it.
  expect(await save()).toEqual({ credentials: { appSecret: 'another-app-secret' } })
  await expect.poll(() => secret.inputValue()).toBe('')
  await sees(page, 'Channel saved')
  expect(await save()).toEqual({})
  await press(page, 'Disconnect')
  const dialog = page.getByRole('dialog')
  await sees(dialog, /channel_unavailable/)
  await press(dialog, 'Disconnect')
  await sees(page, /^Disconnected: nothing is sent/)
  expect(await appears(page.getByRole('button', { name: 'Reconnect' }).first())).toBe(true)
})

test('a template previews values, says why a flow cannot send it, and a filter that hides it is named', async () => {
  const { page, go } = await open({ at: 'templates' })
  const sync = page.getByRole('listitem').filter({ hasText: HOSTILE })
  await sees(sync, 'Last synced')
  await page.getByRole('table').getByRole('button').first().click()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await sees(preview, 'Flows can’t send this template', /VIDEO/)
  await preview.getByRole('textbox').fill('Maha')
  await sees(preview, /^Maha$/)
  await go('templates?status=REJECTED')
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  await sees(sync, 'No results.')
  expect(await page.getByText('Not synced yet').count()).toBe(0)
})

const TOKEN = 'sk_live_never_shown_1234'

const api = await startShopApi(world)
afterAll(() => api.close())

test('a secret among the default headers is named, and is kept as the credential instead', async () => {
  const { page } = await open({ at: 'connections/new', language: 'ar' })
  await press(page, 'إضافة ترويسة')
  await fill(page, { 'الترويسة 1': 'X-Shop-Key', 'القيمة 1': 'abc1234' })
  await sees(page, /تبدو الترويسة .*X-Shop-Key.* سرّية/)
  await press(page, 'حفظها ضمن بيانات الدخول')
  expect(await page.getByLabel('اسم الترويسة').inputValue()).toBe('X-Shop-Key')
  expect(await page.getByLabel('المفتاح', { exact: true }).inputValue()).toBe('abc1234')
  expect(await page.getByLabel('الترويسة 1').count()).toBe(0)
  await sees(page, /^أقصر من الحد اللازم .*، لذلك نخفيه في مواضع أقل\.$/)
})

test('a connection is made, tested, used by an action, and not deleted while it is used', async () => {
  const { page, go } = await open({ at: 'connections' })
  await follow(page, 'New connection')
  await fill(page, [
    [/^Name$/, HOSTILE],
    ['Base URL', 'http://example.com'],
    ['Token', 'abc1234'],
  ])
  const short = page.getByText(
    /^Shorter than .*8.* characters, so we can hide it in fewer places\.$/,
  )
  await short.waitFor()
  await page.getByLabel('Token').fill(TOKEN)
  await short.waitFor({ state: 'hidden' })
  await press(page, 'Create connection')
  await sees(page, '1 problem to fix')
  await page.getByLabel('Base URL').fill(api.baseUrl)
  await press(page, 'Create connection')
  await page.waitForURL(/connections\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()

  api.reply(json(200, { order: { status: HOSTILE, key: TOKEN } }))
  await page.getByLabel('Path', { exact: true }).fill('/orders/1043')
  await press(page, 'Send GET request')
  await sees(page, /^Succeeded$/)
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
  await press(page, 'Add parameter')
  await page.getByLabel('Name', { exact: true }).fill('phone')
  await sees(page, /Don’t ask who the customer is/)
  await page.getByLabel('Name', { exact: true }).fill('order')
  await page.getByLabel('Description for the assistant').fill('The number of the order')
  // The assistant replies on neither the website's form nor the phone.
  await sees(
    page,
    /Not available on: \W*Telegram\W+Messenger\W+Instagram\W+and \W*Website chat\W*$/,
  )
  const told = page.getByLabel('Confirmation text in Arabic')
  await told.fill('ألغي الطلب {{args.other}}؟')
  await press(page, 'Create action')
  await appears(page.getByText(/args\.other/).last())
  await told.fill('ألغي الطلب {{args.order}}؟')
  await press(page, 'Create action')
  await page.waitForURL(/actions\/[0-9a-f-]{36}$/)
  expect(await page.getByLabel('Confirmation text in Arabic').inputValue()).toBe(
    'ألغي الطلب {{args.order}}؟',
  )
  await page.getByLabel('order', { exact: true }).fill('1043')
  await sees(page, 'GET /orders/1043')
  await press(page, 'Run test')
  await sees(page, 'Exactly what the assistant reads')
  await press(page, /Show .*order\.status/, /^Save$/)
  await sees(page, /^Saved$/)

  await go('connections')
  await follow(page, HOSTILE)
  await sees(page, 'order_status')
  await press(page, /^Delete$/)
  const dialog = page.getByRole('dialog')
  await sees(dialog, 'Remove it from these first')
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
})

test('calls are filtered in the address, in Arabic', async () => {
  const path = `/companies/${shop.companyId}/connections`
  const { body } = await owner.ask<{ items: ConnectionView[] }>('GET', path)
  api.reply(json(404, {}))
  await owner.ask('POST', `${path}/${body.items[0]!.id}/test`, { path: '/missing' })
  const { page } = await open({ at: 'connections/calls?outcome=failed', language: 'ar' })
  await sees(page, '/api/missing', 'رد الخادم بخطأ')
  expect(await page.getByText('/orders/1043').count()).toBe(0)
  await page.getByLabel(/رمز الرد/).fill('500')
  await page.waitForURL(/status=/)
  await press(page, 'مسح التصفية')
  await page.getByText('/api/orders/1043').first().waitFor()
})

test.each([
  ['en', 1_440, /1.*call.*1.*failed/],
  ['ar', 360, /طلب.*فشل واحد/],
] as const)('the list shows how calls went: %s at %i px', async (language, width, told) => {
  const { shop: other, owner: itsOwner } = await ownedShop(world)
  const path = `/companies/${other.companyId}/connections`
  const input = { name: 'Orders', baseUrl: api.baseUrl }
  const { body } = await itsOwner.ask<ConnectionView>('POST', path, input)
  api.reply(json(404, {}))
  // A test is in the log, and does not count as a call.
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
