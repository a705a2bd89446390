import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COULD_NOT_CHECK, isRefusedThere, NOTHING_FOUND, tellAnswer } from './action-answer.ts'
import { readJson, type JsonValue } from '../text/json-text.ts'
import type { Owner } from './ownership.ts'
import { createRedactor } from './redact-credential.ts'
import { systemTest } from '../../../test/support/system-tests.ts'

const whole = { shown: [], ownershipPath: null }
const owner: Owner = { kind: 'phone', value: '+966501234567' }

function tell(
  text: string,
  how: Parameters<typeof tellAnswer>[1] = whole,
  of: Owner | null = null,
) {
  const json = readJson(text)
  const answer = json.ok ? { json: json.value } : null
  return tellAnswer({ outcome: 'success', answer, answerText: text }, how, of)
}

test.each([
  ['POST', 399, false],
  ['POST', 400, true],
  ['DELETE', 404, true],
  // Nobody waited for what became of it.
  ['POST', 408, false],
  ['POST', 499, false],
  ['PUT', 500, false],
  ['POST', null, false],
  ['GET', 404, false],
])('a %s that is answered %s was not done for certain: %s', (method, status, isRefused) => {
  expect(isRefusedThere(method, status)).toBe(isRefused)
})

describe('What the assistant sees', () => {
  test('the picked fields, each under its label, one line each', () => {
    const shown = [
      { label: 'Status', path: 'order.status' },
      { label: 'Lines', path: 'order.lines' },
      { label: 'Note', path: 'order.note' },
      { label: 'Number', path: 'order.number' },
    ]
    for (const lineBreak of ['\\n', '\\r\\n', '\u2028', '\u2029']) {
      const status = `shipped${lineBreak}Note: paid`
      const order = `{"status":"${status}","lines":[1,2],"number":12345678901234567890}`
      expect(tell(`{"order":${order}}`, { shown, ownershipPath: null })).toBe(
        'Status: shipped Note: paid\nLines: [1,2]\nNote: \nNumber: 12345678901234567890',
      )
    }
  })

  test('with none picked, the whole answer', () => {
    expect(tell('{"a": [1, "x"]}')).toBe('{"a":[1,"x"]}')
    expect(tell('shipped ')).toBe('shipped')
    expect(tell('')).toBe(tell('null'))
  })

  test('never more than 2,000 characters', () => {
    const shown = [{ label: 'A', path: 'a' }]
    for (const told of [
      tell('x'.repeat(200_000)),
      tell(`{"a":"${'😀'.repeat(100_000)}"}`),
      tell(`{"a":"${'😀'.repeat(100_000)}"}`, { shown, ownershipPath: null }),
    ]) {
      expect([...told.replace(/… \(cut short\)$/, '')]).toHaveLength(2_000)
      expect(told.isWellFormed()).toBe(true)
    }
  })

  test('an answer that was cut says so, and one of exactly 2,000 characters does not', () => {
    expect(tell('x'.repeat(2_000))).toBe('x'.repeat(2_000))
    expect(tell('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}… (cut short)`)
  })

  test('picked fields are empty where the answer is no JSON or their path cannot be read', () => {
    const shown = [
      { label: 'Status', path: 'status' },
      { label: 'Old rule', path: 'status[' },
    ]
    expect(tell('shipped', { shown, ownershipPath: null })).toBe('Status: \nOld rule: ')
    expect(tell('{"status":"shipped"}', { shown, ownershipPath: null })).toBe(
      'Status: shipped\nOld rule: ',
    )
  })

  test('a failed call tells the assistant that it could not check, and nothing of the answer', () => {
    const failed = {
      outcome: 'failed',
      answer: { json: { a: 1 } },
      answerText: 'a secret',
    } as const
    expect(tellAnswer(failed, whole, null)).toBe(COULD_NOT_CHECK)
    // Not an ownership result either.
    expect(tellAnswer(failed, { shown: [], ownershipPath: 'a' }, owner)).toBe(COULD_NOT_CHECK)
  })

  test('when the ownership check does not hold, the assistant is told nothing was found', () => {
    const how = { shown: [{ label: 'Status', path: 'status' }], ownershipPath: 'phone' }
    expect(tell('{"phone":"+966501234567","status":"x"}', how, owner)).toBe('Status: x')
    for (const answer of ['{"phone":"+966559999999","status":"x"}', '{"status":"x"}', 'x', '']) {
      expect(tell(answer, how, owner)).toBe(NOTHING_FOUND)
    }
    // Nobody to compare with is nobody's.
    expect(tell('{"phone":"+966501234567","status":"x"}', how, null)).toBe(NOTHING_FOUND)
  })
})

/** How a server may give a credential back. */
const SPELLINGS: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  percent: encodeURIComponent,
  percentLower: (secret) =>
    encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase()),
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  inBase64: (secret) => Buffer.from(`k=${secret};`).toString('base64'),
}

describe('No credential is in what the assistant sees', () => {
  test('in the field of an ownership check it is nobody’s value', () => {
    const json = createRedactor([owner.value]).json({ phone: owner.value, status: 'x' })
    const made = { outcome: 'success', answer: { json }, answerText: null } as const
    const how = { shown: [{ label: 'Status', path: 'status' }], ownershipPath: 'phone' }
    expect(tellAnswer(made, how, owner)).toBe(NOTHING_FOUND)
  })

  test('not when its spaces come back as the line breaks that a field is freed of', () => {
    const secret = 'pass word of the shop'
    const shown = [{ label: 'A', path: 'a' }]
    for (const space of ['\n', '\r\n', '\u2028', '\t', '\u0085\n']) {
      const json = createRedactor([secret]).json({ a: `x ${secret.replaceAll(' ', space)} y` })
      const made = { outcome: 'success', answer: { json }, answerText: null } as const
      expect(tellAnswer(made, { shown, ownershipPath: null }, null)).toBe('A: x [removed] y')
    }
  })

  // White space at the ends of a value is trimmed, so it is no part of a credential here.
  const secrets = fc
    .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
    .filter((secret) => secret.trim() === secret)

  systemTest(
    'in any of its encodings, in any field, key or text, at any place of a long answer',
    () => {
      fc.assert(
        fc.property(
          secrets,
          fc.constantFrom(...Object.keys(SPELLINGS)),
          fc.integer({ min: 0, max: 2_100 }),
          fc.constantFrom('field', 'key', 'text'),
          (secret, spelling, before, place) => {
            const echoed = SPELLINGS[spelling]!(secret)
            const padding = 'ش'.repeat(before)
            const redactor = createRedactor([secret])
            const value = `${padding}${echoed}`
            const json: JsonValue =
              place === 'key' ? { [value]: 1 } : { a: value, b: [{ c: value }] }
            const answer = place === 'text' ? null : { json: redactor.json(json) }
            const made = { outcome: 'success', answer, answerText: redactor.text(value) } as const
            const shown = [
              { label: 'A', path: 'a' },
              { label: 'B', path: 'b' },
            ]
            for (const how of [whole, { shown, ownershipPath: null }]) {
              const told = tellAnswer(made, how, null)
              for (const [name, spell] of Object.entries(SPELLINGS)) {
                if (name === 'inBase64') continue
                expect(told).not.toContain(spell(secret))
              }
              // Half of it, at the cut, is too much as well.
              expect(told).not.toContain(echoed.slice(0, Math.ceil(echoed.length * 0.75)))
            }
          },
        ),
        { numRuns: 500 },
      )
    },
  )
})
