/** Endpoints, their deliveries and resends, and the developer tools, in a real browser. Spec: Deliveries › Endpoint; Deliveries › Tests and resends; Deliveries › Signature; Events › Types; Hooks › Path syntax. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { deliveriesOf, putAttempts } from '../support/records/deliveries.ts'
import { putEndpoint } from '../support/records/endpoints.ts'
import { rewriteBody } from '../support/records/events.ts'
import {
  appears,
  dashboardOf,
  findFlaws,
  HOSTILE,
  type LookOptions,
  openDashboard,
} from '../support/dashboard-page.ts'
import { raisePings } from '../support/deliveries.ts'
import { hasFocus } from '../support/keyboard.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { checkSignature } from '../../src/dashboard/developer-tools/check-signature.ts'
import { fill, follow, press, sees } from '../support/page-steps.ts'

const world = await openWorld()

/** Returns a separate shop with deliveries for each test, so that none reads another's log. */
async function newShop(deliveries = 0): Promise<Shop> {
  world.receiver.answerWith(204)
  const shop = await createOwnShop(world)
  await raisePings(world, shop, deliveries)
  await world.service.processAll()
  return shop
}

const open = (shop: Shop, options: LookOptions = {}) =>
  openDashboard(world, { ...shop, ...options })

const rowsOf = (page: Page) => page.getByRole('table').locator('[data-row]')
const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')

/** Waits until a page has loaded more than its title. */
const isShown = (page: Page) =>
  page.locator('main :is(table, form, ol, section, [class*=empty])').first().waitFor()

test('new deliveries appear on top immediately; a reader below sees how many are newer', async () => {
  const shop = await newShop(45)
  const { page } = await open(shop, { at: `webhooks/${shop.endpointId}/deliveries` })
  const shown = () => rows(page).filter({ hasText: 'ping' }).count()
  await expect.poll(shown).toBe(45)
  await sees(page, /^Live$/)
  await raisePings(world, shop)
  await expect.poll(shown).toBe(46)

  await page.locator('#content').evaluate((content) => content.scrollTo({ top: 600 }))
  await raisePings(world, shop)
  const newer = page.getByRole('button', { name: /^Show \d+ new deliver/ })
  await newer.waitFor()
  expect(await shown()).toBe(46)
  await newer.click()
  await expect.poll(shown).toBe(47)
})

test('a missed change is shown as the API returns it, not as the stream reported it before', async () => {
  const shop = await newShop(1)
  const { page, go, member } = await open(shop)
  const at = `/companies/${shop.companyId}/deliveries`
  const { body } = await member.ask<{ items: DeliveryView[] }>('GET', at)
  const retried = { ...body.items[0], state: 'pending', badge: 'retrying', attempts: 1 }
  const streamOf = (event: string, data: object) => {
    const text = `retry: 20\nevent: ready\ndata: {}\n\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    return { begin: Promise.withResolvers<void>(), text }
  }
  // The second stream begins like one after a sleep: it reports no change that was missed.
  const [first, second] = [streamOf('delivery', retried), streamOf('reset', {})]
  const streams = [first, second]
  await page.route('**/live', async (route) => {
    const stream = streams.shift()
    if (!stream) return route.continue()
    await stream.begin.promise
    await route.fulfill({ contentType: 'text/event-stream', body: stream.text })
  })
  await go('webhooks/deliveries')
  const row = rowsOf(page).first()
  await sees(row, /^Delivered$/)
  first.begin.resolve()
  await sees(row, /^Retrying$/)
  second.begin.resolve()
  expect(await appears(row.getByText('Delivered', { exact: true }))).toBe(true)
})

test('the log is used by keys: J and K by their positions, Enter opens, R resends', async () => {
  const shop = await newShop(3)
  const { page } = await open(shop, { at: 'webhooks/deliveries', language: 'ar' })
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
  // Typed letters would soon be searched for.
  await search.fill('')
  await linkOf(1).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/deliveries\/[\w-]+$/)
  await page.getByRole('heading', { name: 'ping' }).waitFor()
  await page.keyboard.press('KeyR')
  await page.getByRole('dialog', { name: 'إعادة إرسال هذا التسليم؟' }).waitFor()
  expect(await findFlaws(page)).toEqual([])
})

test('an endpoint that was switched off says why; switched on, a job sends what was held', async () => {
  const shop = await newShop()
  world.receiver.answerWith(410)
  await raisePings(world, shop, 2)
  await world.service.processAll()
  await raisePings(world, shop, 2)
  await world.service.processAll()
  const { page } = await open(shop, { at: `webhooks/${shop.endpointId}` })
  await sees(page, 'Switched off: 410 response')
  world.receiver.answerWith(204)
  await press(page, 'Switch on')
  await press(page.getByRole('dialog'), 'Switch on')
  await press(page, 'Send held deliveries')
  await press(page.getByRole('dialog'), /^Send/)
  await page.waitForURL('**/webhooks/jobs/*')
  await world.service.processAll()
  await sees(page, /^Completed$/)
  expect(await deliveriesOf(world, shop, { state: 'held' })).toEqual([])
})

test('typed changes of an endpoint outlast a failed request', async () => {
  const shop = await newShop()
  const { page } = await open(shop, { at: `webhooks/${shop.endpointId}?tab=settings` })
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('The new till')
  let tries = 0
  await page.route(`**/endpoints/${shop.endpointId}`, (route) => {
    tries += 1
    return route.abort()
  })
  // The request is followed by two retries.
  await expect.poll(() => tries).toBe(3)
  await page.getByText('Couldn’t load this').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('The new till')
})

test('untrusted input and texts of merchants are shown as text', async () => {
  const shop = await newShop(1)
  const [delivery] = await deliveriesOf(world, shop)
  await putEndpoint(world, shop, { name: HOSTILE.slice(0, DELIVERY_LIMITS.nameChars) })
  await rewriteBody(world, delivery!.bodyId, { [HOSTILE]: HOSTILE })
  await putAttempts(world, delivery!.id, {
    answerHead: Buffer.from(HOSTILE),
    answerHeaders: Buffer.from(`x-hit: ${HOSTILE}
`),
    error: 'http_error',
    httpStatus: 500,
  })
  const { page, go } = await open(shop)
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
})

type Vector = {
  name: string
  secrets: string[]
  now: number
  header: string | null
  body: string
  valid: boolean
}
const { vectors } = JSON.parse(readFileSync('docs/test-vectors.json', 'utf8')) as {
  vectors: Vector[]
}
const PING = vectors[0]!

const openTools = dashboardOf(world, await newShop())

describe('The signature checker', () => {
  const judge = async ({ header, body, secrets, now }: Vector) =>
    (await checkSignature({ header: header ?? '', body, secrets, seconds: now })).kind

  test.each(vectors)('judges as every verifier must: $name', async (vector) => {
    expect((await judge(vector)) === 'valid').toBe(vector.valid)
  })

  const find = (name: string) => vectors.find((vector) => vector.name === name)!
  test.each([
    ['another secret', 'no_match'],
    ['one character of the body was changed', 'no_match'],
    ['a line end was added to the body', 'line_end'],
    ['keyed without the prefix whsec_', 'without_prefix'],
    ['keyed with the decoded secret', 'decoded_secret'],
    ['signed without t', 'without_t'],
    ['received 301 seconds later', 'old'],
    ['your clock is 301 seconds behind', 'future'],
    ['t in milliseconds', 'milliseconds'],
    ['two t, signed for the first', 'two_t'],
    ['upper-case hex', 'upper_case'],
  ])('distinguishes faults: %s is %s', async (name, kind) => {
    expect(await judge(find(name))).toBe(kind)
  })

  test('a secret that was pasted without its prefix is reported, also where nothing fits', async () => {
    const [secret] = PING.secrets
    const bare = secret!.replace(/^whsec_/, '')
    expect(await judge({ ...PING, secrets: [bare] })).toBe('prefix_missing')
    const { header, body, now: seconds } = PING
    const given = { header: header ?? '', body: `${body}changed`, seconds }
    const told = { kind: 'no_match', hasTime: true }
    expect(await checkSignature({ ...given, secrets: [bare] })).toEqual({
      ...told,
      hasPrefix: false,
    })
    expect(await checkSignature({ ...given, secrets: [secret!] })).toEqual({
      ...told,
      hasPrefix: true,
    })
  })

  test('a body that was rewritten is recognized, also one with escaped letters', async () => {
    const arabic = find('Arabic, unescaped')
    const indented = JSON.stringify(JSON.parse(arabic.body), null, 2)
    expect(await judge({ ...arabic, body: indented })).toBe('rewritten')
    const escaped = arabic.body.replaceAll(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect(await judge({ ...arabic, body: escaped })).toBe('rewritten')
  })
})

test('a wrong and a right secret are distinguished without a request, in Arabic too', async () => {
  const { page } = await openTools({ at: 'developer-tools', language: 'ar' })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(request.url())
  })
  await fill(page, [
    [/^المحتوى كما وصل/, PING.body],
    [/^الترويسة/, PING.header!],
  ])
  await fill(page, [
    [/^المفتاح السري/, 'whsec_another'],
    [/^الوقت على خادمك/, String(PING.now)],
  ])
  await press(page, 'التحقق من التوقيع')
  await page.getByText('لا توقيع يطابق', { exact: false }).waitFor()
  await page.getByLabel(/^المفتاح السري/).fill(PING.secrets[0]!)
  await press(page, 'التحقق من التوقيع')
  await page.getByText('التوقيع صحيح', { exact: false }).waitFor()
  expect(asked).toEqual([])
})

test('the page says over plain http, where the browser computes no signature, that it cannot check', async () => {
  const { page, go } = await openTools()
  await page.addInitScript('Object.defineProperty(window, "isSecureContext", { value: false })')
  await go('developer-tools')
  await sees(page, 'Signatures can only be checked over https.')
  expect(await page.getByRole('button', { name: 'Check signature' }).isDisabled()).toBe(true)
  await page.context().close()
})

test('paths and phones are read as a hook reads them, and the results are shown as text', async () => {
  const { page } = await openTools({ at: 'developer-tools?tool=path' })
  const hostile = '<img src=x onerror="globalThis.isHacked=1">'
  await page.getByLabel('JSON body').fill(JSON.stringify({ order: { note: hostile } }))
  await page.getByLabel('Path', { exact: true }).fill('order.note')
  await press(page, 'Test path')
  await sees(page.getByRole('status'), hostile)
  expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false)
  await follow(page, 'Phone')
  await page.getByLabel('Phone number, as your system sends it').fill('٠٥٠١٢٣٤٥٦٧')
  await press(page, 'Test number')
  await sees(page, '+966501234567')
})

test('every event has a sample and a schema, and the vectors can be saved', async () => {
  const { page } = await openTools({ at: 'developer-tools?tool=events&type=appointment.booked' })
  await sees(page.getByLabel('Sample'), '"type": "appointment.booked"')
  await page.getByLabel('Schema for data').getByText('"properties"').first().waitFor()
  await follow(page, 'Test vectors')
  const saved = page.waitForEvent('download')
  await follow(page, 'Download test vectors')
  expect((await saved).suggestedFilename()).toBe('test-vectors.json')
})
