import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { fitBody } from '../../src/modules/events/fit-body.ts'
import { systemTest } from '../support/system-tests.ts'

const around = {
  id: 'evt_0123456789abcdef0123456789abcdef',
  type: 'flow.completed',
  apiVersion: '2026-10',
  createdAt: '2026-11-21T09:00:00.000Z',
  test: false,
  company: { id: '00000000-0000-4000-8000-000000000000', name: null },
}
const envelope = (variables: Record<string, string | null>) => ({
  ...around,
  data: { run: { variables } },
})
const parsed = (body: Buffer) => JSON.parse(body.toString('utf8')) as ReturnType<typeof envelope>

test('a body within 64 KB is the JSON of the envelope, Arabic unescaped', () => {
  const made = envelope({ answer: 'نعم' })
  expect(fitBody(made).toString('utf8')).toBe(JSON.stringify(made))
})

test('a body of exactly 64 KB is sent unchanged, and one of one byte more is shortened', () => {
  const room = DELIVERY_LIMITS.bodyBytes - JSON.stringify(envelope({ long: '' })).length
  const exact = fitBody(envelope({ long: 'a'.repeat(room) }))
  expect(parsed(exact).data.run.variables.long).toHaveLength(room)
  const { long } = parsed(fitBody(envelope({ long: 'a'.repeat(room + 1) }))).data.run.variables
  expect(long).toBe(`${'a'.repeat(room - 3)}…`)
})

test('a body over 64 KB has its longest variables shortened, and stays valid JSON', () => {
  const made = envelope({ long: '😀'.repeat(30_000), longer: 'ب'.repeat(60_000), short: 'kept' })
  const body = fitBody(made)
  expect(body.length).toBeLessThanOrEqual(DELIVERY_LIMITS.bodyBytes)
  // The two long ones share all the bytes that remain.
  expect(body.length).toBeGreaterThan(DELIVERY_LIMITS.bodyBytes - 16)
  const { variables } = parsed(body).data.run
  expect(variables.short).toBe('kept')
  expect(variables.long).toMatch(/^(😀)+…$/u)
  expect(variables.longer).toMatch(/^ب+…$/)
  expect(made.data.run.variables.longer).toHaveLength(60_000)
})

test('a text of 4,096 code points that must be cut is cut between two of them', () => {
  const variables = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`اسم${index}`, '👩🏽‍🔧é"\\'.repeat(512)]),
  )
  for (const text of Object.values(parsed(fitBody(envelope(variables))).data.run.variables)) {
    expect(text!.isWellFormed()).toBe(true)
    expect('👩🏽‍🔧é"\\'.repeat(512).startsWith(text!.slice(0, -1))).toBe(true)
  }
})

systemTest('an event with any content is sent as valid JSON within 64 KB', () => {
  const unit = fc.oneof(
    fc.constantFrom('a', 'ب', '😀', '"', '\\', '\n', '\u0001', '\ud800', '\udc00', '\u2028', '…'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  )
  const text = fc
    .tuple(unit, fc.oneof(fc.integer({ max: 40, min: 0 }), fc.integer({ max: 90_000, min: 0 })))
    .map(([part, times]) => part.repeat(Math.floor(times / part.length)))
  const record = fc
    .tuple(
      fc.dictionary(fc.oneof(text, fc.constant('__proto__')), fc.option(text), { maxKeys: 12 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
    )
    .map(([own, more]) => {
      const names = Array.from({ length: more }, (_, index) => [`اسم الحقل ${index}`, 'قيمة'])
      return { ...own, ...(Object.fromEntries(names) as Record<string, string>) }
    })
  const data = fc.oneof(
    record.map((variables) => ({ run: { variables } })),
    fc
      .tuple(record, fc.array(fc.option(text), { maxLength: 5 }), text)
      .map(([fields, tags, name]) => ({ contact: { name, tags, fields } })),
    text.map((reasonText) => ({ contact: null, reasonText })),
  )
  fc.assert(
    fc.property(data, (made) => {
      const before = structuredClone(made)
      const whole = Buffer.from(JSON.stringify({ ...around, data: made }))
      const body = fitBody({ ...around, data: made })
      expect(made).toEqual(before)
      expect(body.length).toBeLessThanOrEqual(DELIVERY_LIMITS.bodyBytes)
      if (whole.length <= DELIVERY_LIMITS.bodyBytes) expect(body).toEqual(whole)
      const sent = JSON.parse(body.toString('utf8')) as { data: unknown }
      expectShortened(sent.data, JSON.parse(JSON.stringify(made)))
    }),
    { numRuns: 100 },
  )
})

/**
 * Expects that every text is unchanged, or its beginning with an ellipsis, or empty, and that nothing else has
 * changed.
 */
function expectShortened(sent: unknown, made: unknown): void {
  if (typeof made === 'string') {
    const text = sent as string
    const isWhole = text === made || text === ''
    const isBeginning = text.endsWith('…') && made.startsWith(text.slice(0, -1))
    expect(isWhole || isBeginning).toBe(true)
    const end = text.slice(0, -1)
    // The cut does not split a surrogate pair: a half at the cut was single before.
    if (isBeginning && end.length > 0 && !isWhole) {
      expect(/[\ud800-\udbff]$/.test(end) && /^[\udc00-\udfff]/.test(made.slice(end.length))).toBe(
        false,
      )
    }
  } else if (typeof made === 'object' && made !== null) {
    for (const [key, value] of Object.entries(sent as object)) {
      expect(Object.hasOwn(made, key)).toBe(true)
      expectShortened(value, (made as Record<string, unknown>)[key])
    }
  } else {
    expect(sent).toBe(made)
  }
}

systemTest('a body of many megabytes is written as JSON a few times only', () => {
  const variables = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [
      `name${index}`,
      '\u0001'.repeat(400 + index / 10),
    ]),
  )
  const made = envelope(variables)
  const bodyChars = JSON.stringify(made).length
  const written = vi.spyOn(JSON, 'stringify')
  const body = fitBody(made)
  const charsWritten = written.mock.results.reduce((sum, { value }) => sum + value.length, 0)
  written.mockRestore()
  // Shortening the texts one by one would write the whole body once for each of the 5,000.
  expect(charsWritten).toBeLessThan(6 * bodyChars)
  expect(body.length).toBeLessThanOrEqual(DELIVERY_LIMITS.bodyBytes)
})
