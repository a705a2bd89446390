/** Connections, calls and AI actions in a real browser. Spec: Calls › Connections; Calls › AI actions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { signedIn } from '../support/dashboard.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'

const HOSTILE = '"><img src=x onerror="globalThis.isHacked=1">'
const TOKEN = 'sk_live_never_shown_1234'

let world: World
let shop: Shop
let api: ShopApi

beforeAll(async () => {
  world = await createWorld()
  api = await startShopApi(world)
  shop = await createShop(world)
})
afterAll(async () => {
  await api.close()
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

test('a connection is made, tested, used by an action, and not deleted while it is used', async () => {
  const { page, close, faults, go } = await open()
  await go('connections')
  await page.getByRole('link', { name: 'New connection' }).click()
  await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
  await page.getByLabel('Base URL').fill('http://example.com')
  await page.getByLabel('Token').fill(TOKEN)
  await page.getByRole('button', { name: 'Create connection' }).click()
  await page.getByText('1 thing to fix').waitFor()
  await page.getByLabel('Base URL').fill(api.baseUrl)
  await page.getByRole('button', { name: 'Create connection' }).click()
  await page.waitForURL(/connections\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()

  api.reply(json(200, { order: { status: HOSTILE, key: TOKEN } }))
  await page.getByLabel('Path', { exact: true }).fill('/orders/1043')
  await page.getByRole('button', { name: 'Send GET request' }).click()
  await page.getByText('Answered', { exact: true }).waitFor()
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
  await page.getByRole('button', { name: 'Add a parameter' }).click()
  await page.getByLabel('Name', { exact: true }).fill('phone')
  await page.getByText(/Do not ask who the customer is/).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('order')
  await page.getByLabel('Description for the assistant').fill('The number of the order')
  const told = page.getByLabel('What they are told in Arabic')
  await told.fill('ألغي الطلب {{args.other}}؟')
  await page.getByRole('button', { name: 'Create action' }).click()
  await page
    .getByText(/args\.other/)
    .last()
    .waitFor()
  await told.fill('ألغي الطلب {{args.order}}؟')
  await page.getByRole('button', { name: 'Create action' }).click()
  await page.waitForURL(/actions\/[0-9a-f-]{36}$/)
  expect(await page.getByLabel('What they are told in Arabic').inputValue()).toBe(
    'ألغي الطلب {{args.order}}؟',
  )
  await page.getByLabel('order', { exact: true }).fill('1043')
  await page.getByText('GET /orders/1043').waitFor()
  await page.getByRole('button', { name: 'Test the action' }).click()
  await page.getByText('To the word what the assistant reads').waitFor()
  await page.getByRole('button', { name: /Show .*order\.status/ }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()

  await go('connections')
  await page.getByRole('link', { name: HOSTILE }).click()
  await page.getByText('order_status').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Take it out of these first').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false)
  expect(faults).toEqual([])
  await close()
})

test('calls are filtered in the address, in Arabic', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/connections`
  const { body } = await owner.ask<{ items: ConnectionView[] }>('GET', path)
  api.reply(json(404, {}))
  await owner.ask('POST', `${path}/${body.items[0]!.id}/test`, { path: '/missing' })
  const { page, close, go } = await open({ language: 'ar' })
  await go('connections/calls?outcome=failed')
  await page.getByText('/api/missing').waitFor()
  await page.getByText('رد الخادم بخطأ').waitFor()
  expect(await page.getByText('/orders/1043').count()).toBe(0)
  await page.getByLabel(/رمز الرد/).fill('500')
  await page.waitForURL(/status=/)
  await page.getByRole('button', { name: 'مسح التصفية' }).click()
  await page.getByText('/api/orders/1043').first().waitFor()
  await close()
})

test.each([
  ['en', 1_440, /1.*call.*1.*failed/],
  ['ar', 360, /طلب.*فشل واحد/],
] as const)(
  'how the calls of a day went stands in the list: %s at %i px',
  async (language, width, told) => {
    const own = world.service.context.ids.token(6)
    const other = await createShop(world, { phoneNumberId: own, businessAccountId: own })
    const owner = await signedIn(world, { accountId: other.accountId })
    const path = `/companies/${other.companyId}/connections`
    const input = { name: 'Orders', baseUrl: api.baseUrl }
    const { body } = await owner.ask<ConnectionView>('POST', path, input)
    api.reply(json(404, {}))
    await owner.ask('POST', `${path}/${body.id}/test`, { path: '/missing' })
    const { page, close, faults, go } = await openDashboard(world, {
      ...other,
      language,
      width,
    })
    await go('connections')
    const link = page.getByRole('link', { name: told }).first()
    await link.waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await link.click()
    await page.waitForURL(new RegExp(`calls.*${body.id}`))
    await page.getByText('/api/missing').first().waitFor()
    expect(faults).toEqual([])
    await close()
  },
)

test('what uses each connection is told with its name', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const made = await owner.ask<ConnectionView>('POST', `/companies/${shop.companyId}/connections`, {
    name: 'Second',
    baseUrl: api.baseUrl,
  })
  await owner.ask('POST', `/companies/${shop.companyId}/actions`, {
    toolName: 'other',
    description: 'Another.',
    request: actionRequest(made.body.id),
    parameters: [ORDER],
  })
  const { kysely } = world.database.db
  await kysely
    .insertInto('flowVersion')
    .values({
      id: world.service.context.ids.uuid(),
      companyId: shop.companyId,
      flowId: shop.flowId,
      number: 2,
      definition: JSON.stringify({ steps: { call: { connectionId: made.body.id } } }),
      triggerKind: 'webhook',
      createdAt: world.clock.now(),
    })
    .execute()
  const users = await owner.ask<{ items: object[] }>(
    'GET',
    `/companies/${shop.companyId}/connection-users`,
  )
  expect(users.body.items).toContainEqual({
    connectionId: made.body.id,
    flows: [{ id: shop.flowId, name: 'Order is ready', isPublished: false }],
    actions: [{ id: expect.any(String), toolName: 'other', isOn: true }],
  })
})

test('an Agent has no such pages', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go()
  const navigation = page.getByRole('navigation', { name: 'Main navigation' }).first()
  expect(await navigation.getByRole('link', { name: 'Connections' }).count()).toBe(0)
  expect(await navigation.getByRole('link', { name: 'Actions' }).count()).toBe(0)
  await close()
})

test.each([
  { page: 'connections', language: 'en', width: 1_440 },
  { page: 'connections/new', language: 'ar', width: 360 },
  { page: 'connections/calls', language: 'ar', width: 768 },
  { page: 'actions', language: 'ar', width: 1_440 },
  { page: 'actions/new', language: 'en', width: 360 },
] as const)(
  'axe finds nothing and nothing overflows: $page, $language at $width px',
  async ({ page: path, ...look }) => {
    const { page, close, go } = await open(look)
    await go(path)
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await close()
  },
)
