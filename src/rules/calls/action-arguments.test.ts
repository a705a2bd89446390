import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readArguments, writeArguments, type ParameterRule } from './action-arguments.ts'
import { fillRequest, type RequestDesign } from './fill-request.ts'
import { systemTest } from '../../../test/support/system-tests.ts'

const one = (
  rule: { type: 'string' | 'number' | 'yes_no' } | { type: 'one_of'; values: string[] },
) => [{ name: 'x', description: 'the thing', isRequired: true, ...rule }] as ParameterRule[]
const BODY = { path: '/', headers: [] }

const read = (rule: Parameters<typeof one>[0], value: unknown, places = BODY) => {
  const result = readArguments(one(rule), { x: value }, places)
  return result.ok ? result.value['x'] : result.problems
}

describe('Parameters: each a string, number, yes/no or one of a list; values up to 500 characters', () => {
  const list = { type: 'one_of', values: ['a', 'b'] } as const
  test.each([
    [{ type: 'string' }, 'INV 17', 'INV 17'],
    [{ type: 'string' }, ' kept as it is ', ' kept as it is '],
    [{ type: 'string' }, '😀'.repeat(500), '😀'.repeat(500)],
    [{ type: 'string' }, 'a\0b\ud800', 'a\ufffdb\ufffd'],
    [{ type: 'number' }, 5, '5'],
    [{ type: 'number' }, -0.5, '-0.5'],
    [{ type: 'number' }, '12345678901234567890', '12345678901234567890'],
    [{ type: 'yes_no' }, true, 'true'],
    [{ type: 'yes_no' }, false, 'false'],
    [{ type: 'yes_no' }, 'false', 'false'],
    [{ type: 'yes_no' }, 'true', 'true'],
    [{ ...list, values: ['a', 'b'] }, 'a', 'a'],
  ] as const)('%j takes %j', (rule, value, text) => {
    expect(read(rule as never, value)).toBe(text)
  })

  test.each([
    [{ type: 'string' }, 5, 'x must be a text.'],
    [{ type: 'string' }, ['a'], 'x must be a text.'],
    [{ type: 'string' }, 'x'.repeat(501), 'x must have at most 500 characters.'],
    [{ type: 'number' }, 'five', 'x must be a number.'],
    [{ type: 'number' }, '0x10', 'x must be a number.'],
    [{ type: 'number' }, Number.NaN, 'x must be a number.'],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, 'x must be a number.'],
    [{ type: 'number' }, '9'.repeat(501), 'x must have at most 500 characters.'],
    [{ type: 'yes_no' }, 'yes', 'x must be true or false.'],
    [{ type: 'yes_no' }, 1, 'x must be true or false.'],
    [{ ...list, values: ['a', 'b'] }, 'c', 'x must be one of "a", "b".'],
    [{ ...list, values: ['a', 'b'] }, 'A', 'x must be one of "a", "b".'],
  ] as const)('%j does not take %j', (rule, value, problem) => {
    expect(read(rule as never, value)).toEqual([problem])
  })

  test('required ones are asked of the customer, a blank one too', () => {
    for (const value of [undefined, null, '', ' \n']) {
      expect(read({ type: 'string' }, value)).toEqual([
        'x is missing: ask the customer for it (the thing).',
      ])
    }
    expect(readArguments(one({ type: 'string' }), {}, BODY).ok).toBe(false)
  })

  test('what every object has is no argument', () => {
    const parameter = {
      name: 'constructor',
      description: 'who built it',
      isRequired: true,
    } as const
    expect(readArguments([{ ...parameter, type: 'string' }], {}, BODY)).toEqual({
      ok: false,
      problems: ['constructor is missing: ask the customer for it (who built it).'],
    })
    expect(readArguments([{ ...parameter, type: 'string', isRequired: false }], {}, BODY)).toEqual({
      ok: true,
      value: { constructor: null },
    })
  })

  test('names of no parameter are told of, 8 of them and 80 characters of each', () => {
    const names = Array.from({ length: 9 }, (_, nth) => `${nth}`.padEnd(100, 'x'))
    const given = Object.fromEntries([['x', 'here'], ...names.map((name) => [name, 1])])
    expect(readArguments(one({ type: 'string' }), given, BODY)).toEqual({
      ok: false,
      problems: names
        .slice(0, 8)
        .map((name) => `There is no parameter ${JSON.stringify(name.slice(0, 80))}.`),
    })
  })

  test('optional ones may be missing', () => {
    const optional = one({ type: 'number' }).map((rule) => ({ ...rule, isRequired: false }))
    expect(readArguments(optional, {}, BODY)).toEqual({ ok: true, value: { x: null } })
  })

  test('what is no parameter is told, and what is no object', () => {
    const told = (given: unknown) => {
      const result = readArguments([], given, BODY)
      return result.ok ? [] : result.problems
    }
    expect(told(JSON.parse('{"__proto__":1,"y":2}'))).toEqual([
      'There is no parameter "__proto__".',
      'There is no parameter "y".',
    ])
    for (const given of [null, 'x', ['x'], 5, undefined]) expect(told(given)).toHaveLength(1)
  })

  test('a value that the path or a header could not hold is to be corrected', () => {
    const path = { path: '/orders/{{args.x}}', headers: [] }
    for (const value of ['a/b', 'a\\b', '..', 'a..b', '.']) {
      expect(read({ type: 'string' }, value, path)).toEqual([
        'x must not hold /, \\ or two dots in a row.',
      ])
    }
    expect(read({ type: 'string' }, 'a.b', path)).toBe('a.b')
    const header = { path: '/', headers: [{ value: '{{args.x}}' }] }
    expect(read({ type: 'string' }, 'a\r\nX-Admin: 1', header as never)).toEqual([
      'x must be one line.',
    ])
  })

  test('the same arguments are the same text, whatever order they came in', () => {
    const args = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/), fc.option(fc.string()))
    fc.assert(
      fc.property(args, (given) => {
        const turned = Object.fromEntries(Object.entries(given).toReversed())
        expect(writeArguments(turned)).toBe(writeArguments(given))
        expect(Object.fromEntries(JSON.parse(writeArguments(given)) as [])).toEqual({ ...given })
      }),
    )
  })
})

const DESIGN: RequestDesign = {
  method: 'POST',
  path: '/orders/{{args.x}}/lines',
  query: [{ name: 'q', value: '{{args.x}}' }],
  headers: [{ name: 'X-Order', value: '{{args.x}}' }],
  body: '{"a":"{{args.x}}","b":["<{{args.x}}>"],"c":1}',
}

/** What means something in a path, a query, a header, JSON or a placeholder, and anything else. */
const HOSTILE = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '\\', '..', '%2e%2e', '%2F', '?', '#', '&', '=', '"', '{{args.x}}'),
      fc.constantFrom('{{identity}}', '\r\n', '\u2028', '}', ',', '":1,"', '+', ';', '\0', 'س'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))

describe('{{args.<name>}} in a request', () => {
  systemTest('no value leaves its place', () => {
    fc.assert(
      fc.property(HOSTILE, fc.string(), (value, identity) => {
        const args = readArguments(one({ type: 'string' }), { x: value }, DESIGN)
        if (!args.ok) return
        const filled = fillRequest(DESIGN, { args: args.value, identity })
        // What was taken can be sent: the assistant was asked to correct all else.
        if (!filled.ok) throw new Error(`${filled.reason} at ${filled.field}`)
        const sent = args.value['x']!
        const { path, query, headers, body } = filled.value
        const url = new URL(`https://shop.example${path}`)
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual([
          '',
          'orders',
          sent,
          'lines',
        ])
        expect([url.search, url.hash]).toEqual(['', ''])
        expect(query.map(([name, text]) => [name, decodeURIComponent(text)])).toEqual([['q', sent]])
        expect(headers).toHaveLength(1)
        expect(headers[0]![1]).not.toMatch(/[\r\n\0]/)
        expect(JSON.parse(body!)).toEqual({ a: sent, b: [`<${sent}>`], c: 1 })
      }),
      { numRuns: 1_000 },
    )
  })

  test('a number and a yes/no are strings in the JSON of the body, inside their quotes', () => {
    for (const [rule, value, text] of [
      [{ type: 'number' }, 5, '5'],
      [{ type: 'yes_no' }, true, 'true'],
    ] as const) {
      const args = readArguments(one(rule), { x: value }, DESIGN)
      const filled = fillRequest(DESIGN, args.ok ? { args: args.value } : {})
      expect(filled.ok && JSON.parse(filled.value.body!)).toEqual({
        a: text,
        b: [`<${text}>`],
        c: 1,
      })
    }
  })
})
