/** Endpoints, their deliveries and resends, in a real browser. Spec: Deliveries › Endpoint; Deliveries › Tests and resends; Events › Types. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { giveUp, raisePings } from '../support/deliveries.ts'
import { hasFocus } from '../support/keyboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let phones = 0

beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})

/** A shop of its own for each test, so that none reads another's log. */
async function newShop(): Promise<Shop> {
  world.receiver.answerWith(204)
  phones += 1
  return createShop(world, { phoneNumberId: `1090000000000${String(phones).padStart(2, '0')}` })
}

const open = (shop: Shop, options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

const rowsOf = (page: Page) => page.getByRole('table').locator('[data-row]')
const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')

/** What was asked for has come: there is more than the title. */
const isShown = (page: Page) =>
  page.locator('main :is(table, form, ol, section, [class*=empty])').first().waitFor()

test('what happens stands on top at once; who reads further down is told how many are newer', async () => {
  const shop = await newShop()
  await raisePings(world, shop, 45)
  await world.service.processAll()
  const { page, close, go } = await open(shop)
  await go(`webhooks/${shop.endpointId}/deliveries`)
  const isThere = (count: number) => () =>
    rows(page)
      .filter({ hasText: 'ping' })
      .count()
      .then((found) => found === count)
  await expect.poll(isThere(45)).toBe(true)
  await page.getByText('Live', { exact: true }).waitFor()
  await raisePings(world, shop)
  await expect.poll(isThere(46)).toBe(true)

  await page.locator('#content').evaluate((content) => content.scrollTo({ top: 600 }))
  await raisePings(world, shop)
  const newer = page.getByRole('button', { name: /newer: show$/ })
  await newer.waitFor()
  expect(await isThere(46)()).toBe(true)
  await newer.click()
  await expect.poll(isThere(47)).toBe(true)
  await close()
})

test('what the stream has missed is shown as it is read, and not as it was heard before', async () => {
  const shop = await newShop()
  await raisePings(world, shop)
  await world.service.processAll()
  const { page, close, go, faults, member } = await open(shop)
  const at = `/companies/${shop.companyId}/deliveries`
  const { body } = await member.ask<{ items: DeliveryView[] }>('GET', at)
  const retried = { ...body.items[0], state: 'pending', attempts: 1 }
  const READY = 'retry: 20\nevent: ready\ndata: {}\n\n'
  const streams = [
    {
      begin: Promise.withResolvers<void>(),
      text: `${READY}event: delivery\ndata: ${JSON.stringify(retried)}\n\n`,
    },
    // As after a sleep: of what changed meanwhile nothing is told.
    { begin: Promise.withResolvers<void>(), text: `${READY}event: reset\ndata: {}\n\n` },
  ]
  const [first, second] = streams
  let nth = 0
  await page.route('**/live', async (route) => {
    const stream = streams[nth]
    nth += 1
    if (!stream) return route.continue()
    await stream.begin.promise
    await route.fulfill({ contentType: 'text/event-stream', body: stream.text })
  })
  await go('webhooks/deliveries')
  const row = rowsOf(page).first()
  await row.getByText('Delivered', { exact: true }).waitFor()
  first!.begin.resolve()
  await row.getByText('Retrying', { exact: true }).waitFor()
  second!.begin.resolve()
  await row.getByText('Delivered', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the log is walked through by keys: J and K by their places, Enter opens, R resends', async () => {
  const shop = await newShop()
  await raisePings(world, shop, 3)
  await world.service.processAll()
  const { page, close, go } = await open(shop, { language: 'ar' })
  await go('webhooks/deliveries')
  const linkOf = (row: number) => rowsOf(page).nth(row).getByRole('link').first()
  await linkOf(2).waitFor()
  for (const [key, row] of [
    ['KeyJ', 0],
    ['KeyJ', 1],
    ['KeyJ', 2],
    ['KeyJ', 2],
    ['KeyK', 1],
  ] as const) {
    await page.keyboard.press(key)
    expect(await hasFocus(linkOf(row))).toBe(true)
  }
  const search = page.getByRole('searchbox')
  await search.press('KeyJ')
  expect(await hasFocus(search)).toBe(true)
  // It was typed, and would soon be searched for.
  await search.fill('')
  await linkOf(1).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/deliveries\/[\w-]+$/)
  await page.getByRole('heading', { name: 'ping' }).waitFor()
  await page.keyboard.press('KeyR')
  await page.getByRole('dialog', { name: 'إعادة إرسال هذا التسليم؟' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await close()
})

test('one that was switched off says why; switched on, what was held is sent as a job', async () => {
  const shop = await newShop()
  world.receiver.answerWith(410)
  await raisePings(world, shop, 2)
  await world.service.processAll()
  await raisePings(world, shop, 2)
  await world.service.processAll()
  const { page, close, go } = await open(shop)
  await go(`webhooks/${shop.endpointId}`)
  await page.getByText('Switched off: answer 410').waitFor()
  world.receiver.answerWith(204)
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'Send what was held' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).click()
  await page.waitForURL('**/webhooks/jobs/*')
  await world.service.processAll()
  await page.getByText('Done', { exact: true }).waitFor()
  const states = (await deliveriesOf(world, shop)).map(({ state }) => state)
  expect(states.filter((state) => state === 'held')).toEqual([])
  await close()
})

test('what is being written of an endpoint outlasts a look that fails', async () => {
  const shop = await newShop()
  const { page, close, go } = await open(shop)
  await go(`webhooks/${shop.endpointId}?tab=settings`)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('The new till')
  let tries = 0
  await page.route(`**/endpoints/${shop.endpointId}`, (route) => {
    tries += 1
    return route.abort()
  })
  // A look, and the two tries after it.
  await expect.poll(() => tries).toBe(3)
  await page.getByText('Could not be loaded').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('The new till')
  await close()
})

test('an Agent who comes by a link is told whom to ask', async () => {
  const shop = await newShop()
  const { page, close } = await open(shop, { role: 'agent' })
  await page.goto(`${world.url}/p/${shop.companyId}/webhooks/deliveries`)
  await page.getByText('Only an Owner or Admin sees this page.').waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  await close()
})

const HOSTILE = '"><script>hit()</script><img src=x onerror=hit()>'

test('what strangers and merchants wrote is shown as text', async () => {
  const shop = await newShop()
  await raisePings(world, shop)
  await world.service.processAll()
  const [delivery] = await deliveriesOf(world, shop)
  const { kysely } = world.database.db
  await kysely
    .updateTable('endpoint')
    .set({ name: HOSTILE.slice(0, DELIVERY_LIMITS.nameChars) })
    .where('id', '=', shop.endpointId)
    .execute()
  await kysely
    .updateTable('eventBody')
    .set({ body: Buffer.from(JSON.stringify({ [HOSTILE]: HOSTILE })) })
    .where('id', '=', delivery!.bodyId)
    .execute()
  await kysely
    .updateTable('deliveryAttempt')
    .set({
      answerHead: Buffer.from(HOSTILE),
      answerHeaders: Buffer.from(`x-hit: ${HOSTILE}\r\n`),
      error: sql`'http_error'`,
      httpStatus: 500,
    })
    .where('deliveryId', '=', delivery!.id)
    .execute()
  const { page, close, faults, go } = await open(shop)
  for (const path of [
    'webhooks',
    `webhooks/${shop.endpointId}`,
    `webhooks/${shop.endpointId}?tab=settings`,
    'webhooks/deliveries',
    `webhooks/deliveries/${delivery!.id}`,
    `webhooks/deliveries/${delivery!.id}?tab=event`,
    `webhooks/deliveries?q=${encodeURIComponent(HOSTILE)}`,
  ]) {
    await go(path)
    await isShown(page)
    expect([path, await page.locator('main img, main script').count()]).toEqual([path, 0])
  }
  expect(faults).toEqual([])
  await close()
})

test.each([
  { language: 'en', width: 1_440, theme: 'light' },
  { language: 'ar', width: 390, theme: 'dark' },
] as const)(
  'axe finds nothing and nothing overflows: $language, $width px, $theme',
  async (look) => {
    const shop = await newShop()
    await giveUp(world, shop, 1)
    const [delivery] = await deliveriesOf(world, shop)
    const { page, close, go } = await open(shop, look)
    for (const path of [
      'webhooks',
      'webhooks/new',
      `webhooks/${shop.endpointId}`,
      `webhooks/${shop.endpointId}?tab=event_types`,
      `webhooks/${shop.endpointId}?tab=history`,
      `webhooks/${shop.endpointId}/deliveries?view=gave_up`,
      `webhooks/deliveries/${delivery!.id}`,
      'webhooks/jobs',
    ]) {
      await go(path)
      await isShown(page)
      expect([path, await findBarriers(page), await overflowOf(page)]).toEqual([path, [], 0])
    }
    await close()
  },
)
