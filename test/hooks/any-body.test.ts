/** Any input gets one of the listed answers and no internal error, and leaves only clean text in the database. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOOK_STATUS_HTTP } from '../../src/core/vocabulary/hooks.ts'
import type { HookStatus } from '../../src/core/vocabulary/hooks.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { whatIsStored } from '../support/records/hooks.ts'
import { runsOf } from '../support/records/runs.ts'
import { createShop } from '../support/shop.ts'
import { requestText, talk } from './raw-http.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const shop = await createShop(world, {
  trigger: {
    kind: 'webhook',
    phonePath: 'customer.phone',
    namePath: 'customer.name',
    languagePath: 'customer.language',
    keep: [
      { name: 'order', path: 'order.number' },
      { name: '__proto__', path: '__proto__' },
      { name: 'all', path: 'order' },
    ],
  },
})

/** Sends bytes as body and as key, and checks that the answer is one of those that the contract lists. */
async function expectListedAnswer(
  body: Buffer,
  head: Record<string, string> = {},
): Promise<string> {
  // Each request has a separate minute, so that no rate limit interferes.
  world.clock.advance(60_000)
  const headers = { 'content-length': String(body.length), ...head }
  const request = requestText(`/hooks/${shop.hookToken}`, { headers, isLast: true })
  const bytes = Buffer.concat([Buffer.from(request, 'latin1'), body])
  const { responses } = await talk(world.url, bytes)
  expect(responses).toHaveLength(1)
  const [{ status, body: text, head: answered }] = responses as [(typeof responses)[0]]
  expect(answered).toMatch(/^content-type: application\/json; charset=utf-8\r$/im)
  const answer = JSON.parse(Buffer.from(text, 'latin1').toString()) as Record<string, unknown>
  expect(Object.keys(answer)).toEqual(['id', 'status', 'detail'])
  expect(HOOK_STATUS_HTTP[answer.status as HookStatus]).toBe(status)
  expect(status).toBeLessThan(500)
  expect(answer.id === null).toBe(status >= 300)
  return answer.status as string
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\0', '\ud800', 'a\udc00b', '\u202e', '\ufeff', '__proto__', 'constructor', ''),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 20 }),
)
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.constantFrom(null, true, 0, -0, 1.5, 2 ** 53, Number.MAX_VALUE, 5e-324),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(anyText, tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value
/** An order in which any part may be anything. */
const anyOrder = fc
  .record({
    phone: fc.oneof(fc.constant('+966501234567'), fc.constant('050 123 4567'), anyValue),
    name: anyValue,
    language: anyValue,
    number: anyValue,
    more: anyValue,
  })
  .map(({ phone, name, language, number, more }) =>
    JSON.stringify({
      customer: { phone, name, language },
      order: { number },
      ['__proto__']: more,
      more,
    }),
  )
const RUNS = { numRuns: 150 }

describe('any body gets one of the listed answers, with three fields', () => {
  test('bytes', async () => {
    const anyBytes = fc.uint8Array({ maxLength: 300 })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        seen.add(await expectListedAnswer(Buffer.from(bytes)))
      }),
      RUNS,
    )
    expect(seen).toContain('invalid_json')
  })

  systemTest('JSON, whole or cut off or with bytes in it', async () => {
    const damage = fc.record({
      text: anyOrder,
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      insert: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        fc.uint8Array({ maxLength: 3 }),
        fc
          .constantFrom('1e400', '-1e999999', '\ufeff', '[', '{"', '\\ud800', '\\u0000')
          .map((text) => Buffer.from(text)),
      ),
    })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(damage, async ({ text, at, insert }) => {
        const bytes = Buffer.from(text)
        const place = Math.floor(at * bytes.length)
        const body = insert
          ? Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place)])
          : bytes
        seen.add(await expectListedAnswer(body))
      }),
      RUNS,
    )
    expect(seen).toContain('accepted')
    expect(seen).toContain('invalid_phone')
    expect(seen).toContain('invalid_json')
  })

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s in each other, from 1 level to as many as fit', async (_, open, shut) => {
    for (const levels of [1, 33, 1_000, 9_000, Math.floor(65_530 / (open.length + shut.length))]) {
      const whole = `${open.repeat(levels)}${open === '[' ? '' : '1'}${shut.repeat(levels)}`
      await expectListedAnswer(Buffer.from(whole))
      const around = `{"customer":{"phone":"+966501234567"},"order":{"number":${whole}}}`
      expect(await expectListedAnswer(Buffer.from(around))).toBe(
        around.length > 65_536 ? 'payload_too_large' : 'accepted',
      )
    }
  })
})

systemTest('any bytes as the key are a key or too long', async () => {
  const anyHeaderByte = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0x80, max: 0xff }),
  )
  const anyKey = fc.oneof(
    fc.array(anyHeaderByte, { maxLength: 250 }).map((codes) => String.fromCharCode(...codes)),
    fc
      .string({ unit: 'grapheme', maxLength: 120 })
      .map((text) => Buffer.from(text).toString('latin1')),
  )
  await fc.assert(
    fc.asyncProperty(
      // HTTP itself refuses line ends and other control characters.
      anyKey.map((key) => key.replace(/\p{Cc}/gu, (byte) => (byte < '\x80' ? '' : byte))),
      async (key) => {
        const body = Buffer.from('{"customer":{"phone":"+966501234567"}}')
        const headers = { 'idempotency-key': key }
        const first = await expectListedAnswer(body, headers)
        const again = await expectListedAnswer(body, headers)
        if (first === 'idempotency_key_too_long') expect(again).toBe(first)
        else expect(again).toBe(/^ *$/.test(key) ? 'accepted' : 'duplicate')
      },
    ),
    RUNS,
  )
})

test('stored texts and raised events are well-formed and free of NUL', async () => {
  const runs = await runsOf(world, shop)
  const { shape } = await whatIsStored(world, shop)
  const jsons = [...runs.map(({ variables }) => variables), shape!]
  const names = (await contactsOf(world, shop)).map(({ name }) => name)
  const texts = [...jsons, ...names, ...runs.map(({ idempotencyKey }) => idempotencyKey)]
  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts) {
    expect(text?.isWellFormed() ?? true).toBe(true)
    expect(text ?? '').not.toContain('\0')
  }
  for (const text of jsons) expect(() => JSON.parse(text) as unknown).not.toThrow()
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
})
