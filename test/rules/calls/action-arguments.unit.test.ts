import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readActionArguments,
  writeArguments,
  type ParameterRule,
} from '../../../src/rules/calls/action-arguments.ts'
import { fillRequest, type RequestDesign } from '../../../src/rules/calls/fill-request.ts'
import { systemTest } from '../../support/system-tests.ts'

type Rule = { type: 'string' | 'number' | 'yes_no' } | { type: 'one_of'; values: string[] }
const STRING: Rule = { type: 'string' }
const NUMBER: Rule = { type: 'number' }
const YES_NO: Rule = { type: 'yes_no' }
const LIST: Rule = { type: 'one_of', values: ['a', 'b'] }
const one = (rule: Rule) =>
  [{ name: 'x', description: 'the thing', isRequired: true, ...rule }] as ParameterRule[]
const BODY = { path: '/', headers: [] }

const read = (rule: Rule, value: unknown, places = BODY) => {
  const result = readActionArguments(one(rule), { x: value }, places)
  return result.ok ? result.value['x'] : result.problems
}

describe('Parameters: each a string, number, yes/no or one of a list; values up to 500 characters', () => {
  test.each([
    [STRING, 'INV 17', 'INV 17'],
    [STRING, ' kept as it is ', ' kept as it is '],
    [STRING, '😀'.repeat(500), '😀'.repeat(500)],
    [STRING, 'a\0b\ud800', 'a\ufffdb\ufffd'],
    [NUMBER, 5, '5'],
    [NUMBER, -0.5, '-0.5'],
    [NUMBER, '12345678901234567890', '12345678901234567890'],
    [YES_NO, true, 'true'],
    [YES_NO, false, 'false'],
    [YES_NO, 'false', 'false'],
    [YES_NO, 'true', 'true'],
    [LIST, 'a', 'a'],
  ])('%j accepts %j', (rule, value, text) => expect(read(rule, value)).toBe(text))

  test.each([
    [STRING, 5, 'x must be a text.'],
    [STRING, ['a'], 'x must be a text.'],
    [STRING, 'x'.repeat(501), 'x must have at most 500 characters.'],
    [NUMBER, 'five', 'x must be a number.'],
    [NUMBER, '0x10', 'x must be a number.'],
    [NUMBER, Number.NaN, 'x must be a number.'],
    [NUMBER, Number.POSITIVE_INFINITY, 'x must be a number.'],
    [NUMBER, '9'.repeat(501), 'x must have at most 500 characters.'],
    [YES_NO, 'yes', 'x must be true or false.'],
    [YES_NO, 1, 'x must be true or false.'],
    [LIST, 'c', 'x must be one of "a", "b".'],
    [LIST, 'A', 'x must be one of "a", "b".'],
  ])('%j does not accept %j', (rule, value, problem) =>
    expect(read(rule, value)).toEqual([problem]),
  )

  test('required ones are requested from the customer, a blank one too; optional ones may be missing', () => {
    const missing = ['x is missing: ask the customer for it (the thing).']
    for (const value of [undefined, null, '', ' \n']) expect(read(STRING, value)).toEqual(missing)
    expect(readActionArguments(one(STRING), {}, BODY).ok).toBe(false)
    const optional = one(NUMBER).map((rule) => ({ ...rule, isRequired: false }))
    expect(readActionArguments(optional, {}, BODY)).toEqual({ ok: true, value: { x: null } })
  })

  test('a property that every object has is no argument', () => {
    const readBuilder = (isRequired: boolean) => {
      const about = { name: 'constructor', description: 'who built it', isRequired }
      return readActionArguments([{ ...about, type: 'string' }], {}, BODY)
    }
    const problems = ['constructor is missing: ask the customer for it (who built it).']
    expect(readBuilder(true)).toEqual({ ok: false, problems })
    expect(readBuilder(false)).toEqual({ ok: true, value: { constructor: null } })
  })

  test('unknown names are reported, 8 of them and 80 characters of each', () => {
    const names = Array.from({ length: 9 }, (_, nth) => `${nth}`.padEnd(100, 'x'))
    const given = Object.fromEntries([['x', 'here'], ...names.map((name) => [name, 1])])
    const told = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 80)))
    const problems = told.map((name) => `There is no parameter ${name}.`)
    expect(readActionArguments(one(STRING), given, BODY)).toEqual({ ok: false, problems })
  })

  test('unknown names are reported, and values that are no object', () => {
    const problemsOf = (given: unknown) => {
      const result = readActionArguments([], given, BODY)
      return result.ok ? [] : result.problems
    }
    expect(problemsOf(JSON.parse('{"__proto__":1,"y":2}'))).toEqual([
      'There is no parameter "__proto__".',
      'There is no parameter "y".',
    ])
    for (const given of [null, 'x', ['x'], 5, undefined]) expect(problemsOf(given)).toHaveLength(1)
  })

  test('a value that the path or a header could not hold must be corrected', () => {
    const path = { path: '/orders/{{args.x}}', headers: [] }
    const problems = ['x must not hold /, \\ or two dots in a row.']
    for (const value of ['a/b', 'a\\b', '..', 'a..b', '.']) {
      expect(read(STRING, value, path)).toEqual(problems)
    }
    expect(read(STRING, 'a.b', path)).toBe('a.b')
    const header = { path: '/', headers: [{ value: '{{args.x}}' }] as never }
    expect(read(STRING, 'a\r\nX-Admin: 1', header)).toEqual(['x must be one line.'])
  })

  test('the same arguments have the same text, whatever their order', () => {
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

/** Characters with a meaning in a path, a query, a header, JSON or a placeholder, and any others. */
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
  systemTest('every value stays in its place', () => {
    fc.assert(
      fc.property(HOSTILE, fc.string(), (value, identity) => {
        const args = readActionArguments(one(STRING), { x: value }, DESIGN)
        if (!args.ok) return
        const filled = fillRequest(DESIGN, { args: args.value, identity })
        // Accepted arguments can be sent: the assistant was asked to correct all others.
        if (!filled.ok) throw new Error(`${filled.reason} at ${filled.field}`)
        const sent = args.value['x']!
        const { path, query, headers, body } = filled.value
        const url = new URL(`https://shop.example${path}`)
        const segments = url.pathname.split('/').map(decodeURIComponent)
        expect(segments).toEqual(['', 'orders', sent, 'lines'])
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
    for (const [rule, x] of [
      [NUMBER, 5],
      [YES_NO, true],
    ] as const) {
      const args = readActionArguments(one(rule), { x }, DESIGN)
      const filled = fillRequest(DESIGN, args.ok ? { args: args.value } : {})
      expect(filled.ok && JSON.parse(filled.value.body!)).toEqual({
        a: `${x}`,
        b: [`<${x}>`],
        c: 1,
      })
    }
  })
})
