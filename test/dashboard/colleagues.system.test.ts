/**
 * Two people at once, and one who is interrupted: nothing of a colleague is undone, nothing that is typed or shown
 * once is lost.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { ResourceView } from '../../src/contract/dashboard/booking-setup.ts'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import type { EndpointView } from '../../src/contract/dashboard/endpoint.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { startShopApi, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let api: ShopApi
let colleague: Member
let connection: ConnectionView

beforeAll(async () => {
  world = await createWorld()
  api = await startShopApi(world)
  shop = await createShop(world)
  colleague = await signedIn(world, { accountId: shop.accountId })
  connection = await make<ConnectionView>('connections', { name: 'Orders', baseUrl: api.baseUrl })
})
afterAll(async () => {
  await api.close()
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

async function make<Made>(noun: string, input: object): Promise<Made> {
  const { status, body } = await colleague.ask<Made>('POST', path(noun), input)
  expect(status).toBe(201)
  return body
}

/** What somebody else does meanwhile, a second later. */
async function change(noun: string, input: object): Promise<void> {
  world.clock.advance(SECOND_MS)
  expect((await colleague.ask('PATCH', path(noun), input)).status).toBe(200)
}

async function read<View>(noun: string): Promise<View> {
  return (await colleague.ask<View>('GET', path(noun))).body
}

const path = (noun: string) => `/companies/${shop.companyId}/${noun}`.replace(/\/$/, '')

test('who changes the path of an action does not switch off the agreement that a colleague has just asked for', async () => {
  const action = await make<ActionView>('actions', {
    toolName: 'order_status',
    description: 'Looks up an order.',
    request: actionRequest(connection.id),
    parameters: [ORDER],
    needsConfirmation: false,
  })
  const { page, close, go, faults } = await open({ role: 'admin' })
  await go(`actions/${action.id}`)
  const told = page.getByLabel('Description', { exact: true }).first()
  await told.fill('Looks up where an order is.')
  await change(`actions/${action.id}`, { needsConfirmation: true })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await read(`actions/${action.id}`)).toMatchObject({
    description: 'Looks up where an order is.',
    needsConfirmation: true,
  })
  expect(faults).toEqual([])
  await close()
})

test('who names a person keeps the hours that a colleague has set meanwhile; Escape closes the question alone', async () => {
  const sara = await make<ResourceView>('resources', { name: 'Sara', kind: 'person' })
  const { page, close, go, faults } = await open({ role: 'admin' })
  await go('appointments/set-up?tab=people')
  await page.getByRole('button', { name: 'Sara' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: 'Name in Arabic' })
  await dialog.getByLabel('Name in Arabic').fill('سارة')
  const hours = { sunday: [{ from: '10:00', to: '14:00' }] }
  await change(`resources/${sara.id}`, { hours })

  await dialog.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog').filter({ hasText: /Delete .*Sara/ })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Name in Arabic').inputValue()).toBe('سارة')

  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { items } = await read<{ items: ResourceView[] }>('resources')
  expect(items.find(({ id }) => id === sara.id)).toMatchObject({ nameAr: 'سارة', hours })
  expect(faults).toEqual([])
  await close()
})

test('the hours of the week that a colleague sets show beside what is typed, and stay', async () => {
  const { page, close, go } = await open({ role: 'admin' })
  await go('settings')
  const always = page.getByLabel('Open at any time')
  await always.click()
  await page.getByRole('button', { name: /Add hours on .*Friday/ }).click()
  const hours = { monday: [{ from: '08:00', to: '12:00' }] }
  await change('', { openingHours: hours })
  // The browser comes back to the front, minutes later.
  world.clock.advance(2 * MINUTE_MS)
  await page.context().clock.setSystemTime(world.clock.now())
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await page.getByLabel(/Monday.*, from/).waitFor()
  await page.locator('form').filter({ has: always }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { openingHours } = await world.database.db.kysely
    .selectFrom('company')
    .select('openingHours')
    .where('id', '=', shop.companyId)
    .executeTakeFirstOrThrow()
  // In minutes from midnight.
  expect(JSON.parse(openingHours!)).toMatchObject({
    monday: [{ from: 480, to: 720 }],
    friday: [{ from: 540, to: 1_020 }],
  })
  await close()
})

test('a connection that a colleague changed meanwhile is shown anew, what is typed stays, and the next save goes', async () => {
  const { page, close, go } = await open({ role: 'admin' })
  await go(`connections/${connection.id}`)
  await page.getByLabel('Name', { exact: true }).fill('All orders')
  await change(`connections/${connection.id}`, { timeoutSeconds: 7 })
  const save = page.getByRole('button', { name: 'Save changes' })
  await save.click()
  await page
    .getByText(/changed meanwhile/)
    .first()
    .waitFor()
  await expect.poll(() => page.getByLabel('Longest wait, seconds').inputValue()).toContain('7')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('All orders')
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await read(`connections/${connection.id}`)).toMatchObject({
    name: 'All orders',
    timeoutSeconds: 7,
  })
  await close()
})

test('a rotated secret stands beside its own fingerprint, and the page is not left before it is stored', async () => {
  const { page, close, go, faults } = await open()
  await go('webhooks')
  await page.locator(`main a[href$="${shop.endpointId}"]`).first().click()
  await page.getByRole('button', { name: 'Rotate secret' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: 'whsec_' })
  await dialog.waitFor()
  const [current] = (await read<EndpointView>(`endpoints/${shop.endpointId}`)).secrets
  const said = (await dialog.innerText()).replaceAll(/\s/g, '')
  expect(said).toContain(current!.fingerprint!.replaceAll(/\s/g, ''))

  const address = page.url()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog').getByRole('combobox')
  await palette.fill('Inbox')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('combobox').waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
  await page.evaluate('history.back()')
  await expect.poll(() => page.url()).toBe(address)
  await dialog.waitFor()
  expect(page.url()).toBe(address)
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await go('inbox')
  expect(faults).toEqual([])
  await close()
})
