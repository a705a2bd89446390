/** The developer tools in a real browser. Spec: Deliveries › Signature; Hooks › Path syntax. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSignature } from '../../src/dashboard/developer-tools/check-signature.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

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

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

describe('The signature checker', () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))(
    'judges as every verifier must: %s',
    async (_, { header, body, secrets, now, valid }) => {
      const finding = await checkSignature({ header: header ?? '', body, secrets, seconds: now })
      expect(finding.kind === 'valid').toBe(valid)
    },
  )

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
  ])('tells apart what is wrong: %s is %s', async (name, kind) => {
    const { header, body, secrets, now } = find(name)
    expect((await checkSignature({ header: header ?? '', body, secrets, seconds: now })).kind).toBe(
      kind,
    )
  })

  test('a body that was written anew is known for one, and one with its letters escaped', async () => {
    const { header, secrets, now, body } = find('Arabic, unescaped')
    const check = (changed: string) =>
      checkSignature({ header: header ?? '', body: changed, secrets, seconds: now })
    expect((await check(JSON.stringify(JSON.parse(body), null, 2))).kind).toBe('rewritten')
    const escaped = body.replaceAll(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect((await check(escaped)).kind).toBe('rewritten')
  })
})

test('a wrong secret and a right one are told apart without a request, in Arabic too', async () => {
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go('developer-tools')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(request.url())
  })
  await page.getByLabel(/^المحتوى كما وصل/).fill(PING.body)
  await page.getByLabel(/^الترويسة/).fill(PING.header!)
  await page.getByLabel(/^المفتاح السري/).fill('whsec_another')
  await page.getByLabel(/^الوقت على خادمك/).fill(String(PING.now))
  await page.getByRole('button', { name: 'التحقق من التوقيع' }).click()
  await page.getByText('لا توقيع يطابق', { exact: false }).waitFor()
  await page.getByLabel(/^المفتاح السري/).fill(PING.secrets[0]!)
  await page.getByRole('button', { name: 'التحقق من التوقيع' }).click()
  await page.getByText('التوقيع صحيح', { exact: false }).waitFor()
  expect(asked).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('over plain http, where the browser computes no signature, the page says so', async () => {
  const { page, close, go } = await open()
  await page.addInitScript('Object.defineProperty(window, "isSecureContext", { value: false })')
  await go('developer-tools')
  await page.getByText('Your browser computes signatures over https alone.').waitFor()
  expect(await page.getByRole('button', { name: 'Check the signature' }).isDisabled()).toBe(true)
  await page.context().close()
  await close()
})

test('paths and phones are read as a hook reads them; what is read is text', async () => {
  const { page, close, go } = await open()
  await go('developer-tools?tool=path')
  const hostile = '<img src=x onerror="globalThis.isHacked=1">'
  await page.getByLabel('JSON body').fill(JSON.stringify({ order: { note: hostile } }))
  await page.getByLabel('Path', { exact: true }).fill('order.note')
  await page.getByRole('button', { name: 'Read the path' }).click()
  await page.getByRole('status').getByText(hostile).waitFor()
  expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false)
  await page.getByRole('link', { name: 'Phone' }).click()
  await page.getByLabel('Phone as your system sends it').fill('٠٥٠١٢٣٤٥٦٧')
  await page.getByRole('button', { name: 'Read the number' }).click()
  await page.getByText('+966501234567').waitFor()
  await close()
})

test('every event has a sample and a schema, and the vectors can be saved', async () => {
  const { page, close, go } = await open()
  await go('developer-tools?tool=events&type=appointment.booked')
  await page.getByLabel('Sample').getByText('"type": "appointment.booked"').waitFor()
  await page.getByLabel('Schema of data').getByText('"properties"').first().waitFor()
  await page.getByRole('link', { name: 'Test vectors' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the vectors' }).click()
  expect((await saved).suggestedFilename()).toBe('test-vectors.json')
  await close()
})

test.each([
  { tool: 'signature', language: 'en', width: 1_440 },
  { tool: 'events', language: 'ar', width: 360 },
  { tool: 'vectors', language: 'ar', width: 768 },
] as const)(
  'axe finds nothing and nothing overflows: $tool, $language at $width px',
  async ({ tool, ...look }) => {
    const { page, close, go } = await open(look)
    await go(`developer-tools?tool=${tool}`)
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await close()
  },
)
