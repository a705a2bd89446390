import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  COULD_NOT_CHECK,
  DONE_UNREADABLE,
  isRefusedByServer,
  NOTHING_FOUND,
  publicLines,
  formatAnswer,
} from '../../../src/rules/calls/action-answer.ts'
import { readJson, type JsonValue } from '../../../src/rules/text/json-text.ts'
import type { CustomerValue } from '../../../src/rules/calls/ownership.ts'
import { createRedactor } from '../../../src/infra/redaction/redactor.ts'
import { systemTest } from '../../support/system-tests.ts'

const whole = { shown: [], ownershipPath: null }
/** Returns fields that are shown under these labels, without an ownership check. */
const showing = (...fields: [label: string, path: string][]) => {
  return { shown: fields.map(([label, path]) => ({ label, path })), ownershipPath: null }
}
const owner: CustomerValue = { kind: 'phone', value: '+966501234567' }

function tell(
  text: string,
  how: Parameters<typeof formatAnswer>[1] = whole,
  of: CustomerValue | null = null,
) {
  const json = readJson(text)
  const answer = json.ok ? { json: json.value } : null
  return formatAnswer({ outcome: 'success', answer, answerText: text }, how, of, null)
}

describe('a channel that verifies no customer', () => {
  const nobody = { numbers: new Set<string>(), emails: new Set<string>(), words: '' }
  const json = {
    order: { status: 'shipped', customer: { name: 'Sara', phone: '+966501234567' } },
    shop: { phone: '+966112345678' },
  }
  const made = { outcome: 'success', answer: { json }, answerText: null } as const
  const shown = [
    { label: 'Status', path: 'order.status' },
    { label: 'Name', path: 'order.customer.name' },
    { label: 'Call', path: 'order.customer.phone' },
    { label: 'Shop', path: 'shop.phone', isPublic: true },
  ]

  test('shows a picked number or name when the field is public, or the customer has written it', () => {
    const how = { shown, ownershipPath: null }
    expect(formatAnswer(made, how, null, nobody)).toBe(
      'Status: shipped\nName: [not shown]\nCall: [not shown]\nShop: +966112345678',
    )
    const said = { ...nobody, numbers: new Set(['01234567']) }
    expect(formatAnswer(made, how, null, said)).toContain('Call: +966501234567')
    expect(formatAnswer(made, how, null, null)).toContain('Name: Sara')
  })

  test('shows the public fields to any customer, and no others', () => {
    expect(publicLines(made, shown)).toBe('Shop: +966112345678')
    expect(publicLines({ ...made, outcome: 'failed' }, shown)).toBe('')
  })
})

test.each([
  ['POST', 399, false],
  ['POST', 400, true],
  ['DELETE', 404, true],
  // No caller waited for the outcome.
  ['POST', 408, false],
  ['POST', 499, false],
  ['PUT', 500, false],
  ['POST', null, false],
  ['GET', 404, false],
])('a %s that is answered %s was not done for certain: %s', (method, status, isRefused) => {
  expect(isRefusedByServer(method, status)).toBe(isRefused)
})

describe('The assistant sees', () => {
  test('the picked fields, each under its label, one line each', () => {
    const how = showing(
      ['Status', 'order.status'],
      ['Lines', 'order.lines'],
      ['Note', 'order.note'],
      ['Number', 'order.number'],
    )
    for (const lineBreak of ['\\n', '\\r\\n', '\u2028', '\u2029']) {
      const status = `shipped${lineBreak}Note: paid`
      const order = `{"status":"${status}","lines":[1,2],"number":12345678901234567890}`
      expect(tell(`{"order":${order}}`, how)).toBe(
        'Status: shipped Note: paid\nLines: [1,2]\nNote: \nNumber: 12345678901234567890',
      )
    }
  })

  test('with none picked, the whole answer', () => {
    expect(tell('{"a": [1, "x"]}')).toBe('{"a":[1,"x"]}')
    expect(tell('shipped ')).toBe('shipped')
    expect(tell('')).toBe(tell('null'))
  })

  test('never more than 2,000 characters; what was cut says so', () => {
    for (const told of [
      tell('x'.repeat(200_000)),
      tell(`{"a":"${'😀'.repeat(100_000)}"}`),
      tell(`{"a":"${'😀'.repeat(100_000)}"}`, showing(['A', 'a'])),
    ]) {
      expect([...told.replace(/… \(cut short\)$/, '')]).toHaveLength(2_000)
      expect(told.isWellFormed()).toBe(true)
    }
    expect(tell('x'.repeat(2_000))).toBe('x'.repeat(2_000))
    expect(tell('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}… (cut short)`)
  })

  test('empty picked fields when the answer is no JSON or their path cannot be read', () => {
    const how = showing(['Status', 'status'], ['Old rule', 'status['])
    expect(tell('shipped', how)).toBe('Status: \nOld rule: ')
    expect(tell('{"status":"shipped"}', how)).toBe('Status: shipped\nOld rule: ')
  })

  test('nothing of the answer to a failed call, only that it could not check', () => {
    const answer = { json: { a: 1 } }
    const failed = { outcome: 'failed', answer, answerText: 'a secret' } as const
    expect(formatAnswer(failed, whole, null, null)).toBe(COULD_NOT_CHECK)
    // It is no ownership result either.
    expect(formatAnswer(failed, { shown: [], ownershipPath: 'a' }, owner, null)).toBe(
      COULD_NOT_CHECK,
    )
  })

  test('only that it was done when the answer cannot be read, with any ownership check', () => {
    const made = { outcome: 'success', answer: null, answerText: null, isUnreadable: true } as const
    for (const ownershipPath of [null, 'customer.phone']) {
      for (const who of [owner, null]) {
        expect(formatAnswer(made, { shown: [], ownershipPath }, who, null)).toBe(DONE_UNREADABLE)
      }
    }
  })

  test('only that nothing was found when the ownership check fails', () => {
    const how = { ...showing(['Status', 'status']), ownershipPath: 'phone' }
    expect(tell('{"phone":"+966501234567","status":"x"}', how, owner)).toBe('Status: x')
    for (const answer of ['{"phone":"+966559999999","status":"x"}', '{"status":"x"}', 'x', '']) {
      expect(tell(answer, how, owner)).toBe(NOTHING_FOUND)
    }
    // Without a value to compare with, the check fails.
    expect(tell('{"phone":"+966501234567","status":"x"}', how, null)).toBe(NOTHING_FOUND)
  })
})

/** Forms in which a server may return a credential. */
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
  const answered = (secret: string, value: JsonValue) => {
    const json = createRedactor([secret]).json(value)
    return { outcome: 'success', answer: { json }, answerText: null } as const
  }

  test('also when it is in the field of an ownership check', () => {
    const made = answered(owner.value, { phone: owner.value, status: 'x' })
    const how = { ...showing(['Status', 'status']), ownershipPath: 'phone' }
    expect(formatAnswer(made, how, owner, null)).toBe(NOTHING_FOUND)
  })

  test('also when its spaces come back as the line breaks that are removed from a field', () => {
    const secret = 'pass word of the shop'
    for (const space of ['\n', '\r\n', '\u2028', '\t', '\u0085\n']) {
      const made = answered(secret, { a: `x ${secret.replaceAll(' ', space)} y` })
      expect(formatAnswer(made, showing(['A', 'a']), null, null)).toBe('A: x [removed] y')
    }
  })

  // White space at the ends of a value is trimmed, so it is no part of a credential here.
  const secrets = fc
    .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
    .filter((secret) => secret.trim() === secret)

  systemTest('in any encoding, field, key or text, at any place of a long answer', () => {
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
          const json: JsonValue = place === 'key' ? { [value]: 1 } : { a: value, b: [{ c: value }] }
          const answer = place === 'text' ? null : { json: redactor.json(json) }
          const made = { outcome: 'success', answer, answerText: redactor.text(value) } as const
          for (const how of [whole, showing(['A', 'a'], ['B', 'b'])]) {
            const told = formatAnswer(made, how, null, null)
            for (const [name, spell] of Object.entries(SPELLINGS)) {
              if (name === 'inBase64') continue
              expect(told).not.toContain(spell(secret))
            }
            // Half of a credential, at the cut, must not be shown either.
            expect(told).not.toContain(echoed.slice(0, Math.ceil(echoed.length * 0.75)))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
