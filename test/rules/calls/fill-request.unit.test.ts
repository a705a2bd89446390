import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CALL_LIMITS } from '../../../src/core/limits/calls.ts'
import { encodeValue } from '../../../src/rules/calls/call-path.ts'
import {
  fillRequest,
  type FilledRequest,
  type RequestDesign,
} from '../../../src/rules/calls/fill-request.ts'
import { cleanText } from '../../../src/rules/text/json-text.ts'
import { hasDotSegment } from '../../../src/rules/addresses/merchant-url.ts'
import { systemTest } from '../../support/system-tests.ts'

type Vars = Record<string, string | null>

const design = (part: Partial<RequestDesign> = {}): RequestDesign => ({
  method: 'POST',
  path: '/orders',
  query: [],
  headers: [],
  body: null,
  ...part,
})
const fill = (part: Partial<RequestDesign>, vars: Vars = {}): FilledRequest | string => {
  const result = fillRequest(design(part), { vars })
  return result.ok ? result.value : result.reason
}
/** Returns one part of a filled request, or the reason why it is refused. */
const filledPart = <Part extends keyof FilledRequest & keyof RequestDesign>(
  part: Part,
  template: RequestDesign[Part],
  vars: Vars,
) => {
  const filled = fill({ [part]: template }, vars)
  return typeof filled === 'string' ? filled : filled[part]
}
const path = (template: string, vars: Vars) => filledPart('path', template, vars)

describe('A value in the path is percent-encoded', () => {
  test.each([
    ['a b', '/orders/a%20b'],
    ['a?b=1', '/orders/a%3Fb%3D1'],
    ['a#b', '/orders/a%23b'],
    ['a&b', '/orders/a%26b'],
    ['%2e%2e', '/orders/%252e%252e'],
    ['%2f', '/orders/%252f'],
    ['a\nb', '/orders/a%0Ab'],
    ['a?b#c%2Fd e\r\n', '/orders/a%3Fb%23c%252Fd%20e%0D%0A'],
    ['a.b', '/orders/a.b'],
    ['شحن', '/orders/%D8%B4%D8%AD%D9%86'],
    ["it's (1)", '/orders/it%27s%20%281%29'],
    ['{{vars.other}}', '/orders/%7B%7Bvars.other%7D%7D'],
    ['{{args.x}}', '/orders/%7B%7Bargs.x%7D%7D'],
    ['\ud800', '/orders/%EF%BF%BD'],
  ])('%j', (id, url) => {
    expect(path('/orders/{{vars.id}}', { id, other: 'never looked at' })).toBe(url)
  })

  test('text between placeholders is encoded where it must be, and never twice', () => {
    expect(path('/a b/متجر/%41/100%', {})).toBe('/a%20b/%D9%85%D8%AA%D8%AC%D8%B1/%41/100%25')
    expect(path('/{{vars.a}}{{ vars.b }}', { a: '1', b: '2' })).toBe('/12')
  })
})

describe('The call is not made when a path value', () => {
  test.each([
    ['is empty', ''],
    ['is not set', null],
    ['contains /', 'a/b'],
    ['contains \\', 'a\\b'],
    ['contains ..', 'a..b'],
    ['makes a . segment', '.'],
  ])('%s', (_, id) => {
    expect(path('/orders/{{vars.id}}', { id })).toBe('path_value_refused')
    expect(path('/orders/{{vars.unknown}}', { id })).toBe('path_value_refused')
  })

  test.each([
    ['/a/.{{vars.id}}', '.'],
    ['/a/{{vars.id}}{{vars.id}}', '.'],
    ['/a/%2e{{vars.id}}', '.'],
    ['/a/%2f{{vars.id}}/b', '.'],
  ])('makes a . or .. segment with the text next to it: %s', (template, id) => {
    expect(path(template, { id })).toBe('path_value_refused')
  })

  test('would end an escape that the path began', () => {
    expect(path('/a/%{{vars.id}}', { id: '2e' })).toBe('/a/%252e')
    expect(path('/a/%2{{vars.id}}', { id: 'e' })).toBe('/a/%252e')
  })
})

describe('A query parameter', () => {
  const query = (value: string, v: string | null) =>
    filledPart('query', [{ name: 'x y', value }], { v })
  test.each([
    ['a&b=c', 'a%26b%3Dc'],
    ['a+b', 'a%2Bb'],
    ['a b#', 'a%20b%23'],
  ])('is percent-encoded: %j', (v, encoded) =>
    expect(query('{{vars.v}}', v)).toEqual([['x%20y', encoded]]),
  )
  test('is left out when its value is empty', () => {
    expect(query('{{vars.v}}', '')).toEqual([])
    expect(query('{{vars.v}}', null)).toEqual([])
    expect(query('-{{vars.v}}', null)).toEqual([['x%20y', '-']])
  })
})

describe('Path and query once filled in have at most 4,096 characters', () => {
  const max = CALL_LIMITS.pathAndQueryChars
  test('the path alone', () => {
    expect(path('/{{vars.v}}', { v: 'a'.repeat(max - 1) })).toHaveLength(max)
    expect(path('/{{vars.v}}', { v: 'a'.repeat(max) })).toBe('path_too_long')
    expect(path('/{{vars.v}}', { v: 'م'.repeat(700) })).toBe('path_too_long')
  })
  test('both together, with ? and =', () => {
    const both = (length: number) =>
      fill({ path: '/a', query: [{ name: 'b', value: '{{vars.v}}' }] }, { v: 'c'.repeat(length) })
    expect(both(max - '/a?b='.length)).toHaveProperty('path', '/a')
    expect(both(max - '/a?b='.length + 1)).toBe('path_too_long')
  })
})

describe('A header', () => {
  const header = (v: string | null, name = 'X-Shop') =>
    filledPart('headers', [{ name, value: 'id {{vars.v}}' }], { v })
  test('is filled in', () => {
    expect(header('سارة')).toEqual([['X-Shop', 'id سارة']])
    expect(header(null)).toEqual([['X-Shop', 'id ']])
  })
  test.each(['a\r\nX-Admin: 1', 'a\nb', 'a\rb', 'a\u0001b', 'a\u007f'])('with %j is refused', (v) =>
    expect(header(v)).toBe('header_refused'),
  )
  test('cannot be one that the service writes, nor longer than a server accepts', () => {
    expect(header('1', 'Host')).toBe('header_refused')
    expect(header('x'.repeat(CALL_LIMITS.headerValueChars))).toBe('header_refused')
  })
  test('set twice is set once, by the later one', () => {
    const headers = [
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ]
    expect(fill({ headers })).toMatchObject({ headers: [['x-a', '2']] })
  })
})

describe('A value in the body is an escaped JSON string', () => {
  const body = (template: string, vars: Vars) => filledPart('body', template, vars)
  const MEANT_TO_BREAK_IT = ['say "hi"', '","admin":true,"x":"', '{{vars.x}}', '{{args.x}}']
  const UNUSUAL = ['a\\b', 'a\nb', 'a\t\u0001b', 'سارة', '\u2028', '00123', '', '<script>']
  test.each([...MEANT_TO_BREAK_IT, ...UNUSUAL])('%j', (x) =>
    expect(JSON.parse(body('{"v":"{{vars.x}}"}', { x })!)).toEqual({ v: x }),
  )
  test('several values in one string, with text around them; a missing one becomes empty', () => {
    const vars = { a: '"', b: '{{vars.a}}' }
    const filled = body('{"v":"order {{vars.a}} of {{vars.b}}","n":1.50}', vars)
    expect(filled).toBe('{"v":"order \\" of {{vars.a}}","n":1.50}')
    expect(body('{"v":"{{vars.x}}"}', {})).toBe('{"v":""}')
  })
  const UNSAVED = ['{"v":{{vars.x}}}', '{"{{vars.x}}":1}', '"{{vars.x}}"', '{"v":"\\{{vars.x}}"}']
  test.each(UNSAVED)('a design that could not be saved is not called: %s', (template) =>
    expect(body(template, { x: '1' })).toBe('body_refused'),
  )
  test('it has at most 64 KB once filled in', () => {
    const overhead = '{"v":""}'.length
    const max = CALL_LIMITS.bodyBytes - overhead
    expect(body('{"v":"{{vars.x}}"}', { x: 'a'.repeat(max) })).toHaveLength(CALL_LIMITS.bodyBytes)
    expect(body('{"v":"{{vars.x}}"}', { x: 'a'.repeat(max + 1) })).toBe('body_too_large')
    expect(body('{"v":"{{vars.x}}"}', { x: 'م'.repeat(max / 2 + 1) })).toBe('body_too_large')
  })
  test.each(['GET', 'DELETE'] as const)('a %s request has none', (method) => {
    expect(fill({ method, body: '{}' })).toBe('body_refused')
    expect(fill({ method })).toHaveProperty('body', null)
  })
  test.each(['POST', 'GET'] as const)('an empty body is none (%s)', (method) => {
    for (const none of ['', ' \n'])
      expect(fill({ method, body: none })).toHaveProperty('body', null)
  })
})

const text = fc.string({ unit: 'binary', maxLength: 40 })
const pathLiteral = fc.stringMatching(/^[a-z0-9 .%&@-]{0,6}$/)

systemTest('every value stays in its path segment, its query value or its JSON string', () => {
  fc.assert(
    fc.property(pathLiteral, text, pathLiteral, text, text, (before, a, after, b, c) => {
      const parts = {
        path: `/start/${before}{{vars.a}}${after}/end`,
        query: Object.entries({ b: '{{vars.b}}', end: 'yes' }).map(([name, value]) => ({
          name,
          value,
        })),
        body: '{"c":"<{{vars.c}}>","list":["{{vars.a}}{{vars.b}}"],"n":12345678901234567890}',
      }
      const filled = fill(parts, { a, b, c })
      if (typeof filled === 'string') {
        expect(['path_value_refused', 'path_refused']).toContain(filled)
        return
      }
      expect(hasDotSegment(filled.path)).toBe(false)
      const query = filled.query.map(([name, value]) => `${name}=${value}`).join('&')
      const url = new URL(`https://shop.example/base${filled.path}?${query}`)
      // The URL parser has nothing to repair: the built URL is the one that is sent.
      expect(url.href).toBe(`https://shop.example/base${filled.path}?${query}`)
      const segments = url.pathname.split('/')
      expect(segments).toHaveLength(5)
      expect(segments[3]).toContain(encodeValue(a))
      expect(decodeURIComponent(encodeValue(a))).toBe(cleanText(a))
      expect(segments[4]).toBe('end')
      expect([...url.searchParams]).toEqual([
        ...(b === '' ? [] : [['b', cleanText(b)]]),
        ['end', 'yes'],
      ])
      expect(JSON.parse(filled.body!)).toEqual({
        c: `<${cleanText(c)}>`,
        list: [cleanText(a) + cleanText(b)],
        n: Number('12345678901234567890'),
      })
    }),
    { numRuns: 2_000 },
  )
})

systemTest('no design and no value cause an exception', () => {
  const part = fc.array(fc.record({ name: fc.string(), value: fc.string() }), { maxLength: 3 })
  const given = fc.tuple(fc.string(), part, part, fc.option(fc.string()), text)
  fc.assert(
    fc.property(given, ([at, query, headers, body, v]) => {
      for (const full of [`${at}{{vars.v}}`, `/${at}{{vars.v}}`]) {
        const filled = fillRequest(design({ path: full, query, headers, body }), { vars: { v } })
        expect(typeof filled.ok).toBe('boolean')
      }
    }),
    { numRuns: 2_000 },
  )
})

describe('A design that could not be saved', () => {
  test.each<[Partial<RequestDesign>, string]>([
    [{ path: 'orders' }, 'path_refused'],
    [{ path: '/a?b' }, 'path_refused'],
    [{ path: '//evil.example/x' }, 'path_refused'],
    [{ path: 'https://evil.example/' }, 'path_refused'],
    [{ path: '/\\evil.example' }, 'path_refused'],
    [{ path: '/a/../../x' }, 'path_refused'],
    [{ method: 'GET', body: '{}' }, 'body_refused'],
    [{ body: 'text' }, 'body_refused'],
    [{ body: '{"{{vars.v}}":1}' }, 'body_refused'],
    [{ body: `{"a":"${'x'.repeat(CALL_LIMITS.bodyBytes)}"}` }, 'body_too_large'],
    [{ headers: [{ name: 'Cookie', value: '1' }] }, 'header_refused'],
  ])('is not filled in: %j', (part, reason) => expect(fill(part, { v: '1' })).toBe(reason))
})

test.each(['POST', 'PUT', 'PATCH'] as const)('A body is sent with %s', (method) => {
  const filled = fill({ method, body: '{"a":"{{vars.v}}"}' }, { v: '1' })
  expect(filled).toHaveProperty('body', '{"a":"1"}')
})

test('A refusal names its place', () => {
  const where = (part: Partial<RequestDesign>, v = 'x') => {
    const result = fillRequest(design(part), { vars: { v } })
    return result.ok ? 'filled in' : result.field
  }
  const long = 'x'.repeat(CALL_LIMITS.pathAndQueryChars)
  const ok = { name: 'a', value: '1' }
  expect(where({ path: '/{{vars.v}}' }, '..')).toBe('path')
  const two = (value: string) => [ok, { name: 'b', value }]
  expect(where({ query: two('{{vars.v}}') }, long)).toBe('query[1].value')
  expect(where({ query: two('{{vars.v}}x') }, long)).toBe('query[1].value')
  expect(where({ headers: two('{{vars.v}}') }, '\n')).toBe('headers[1].value')
  expect(where({ body: '{"a":{{vars.v}}}' })).toBe('body')
  expect(where({ method: 'GET', body: '{}' })).toBe('body')
})

describe('A placeholder is filled from', () => {
  const filledWith = (template: string, values: Parameters<typeof fillRequest>[1]) => {
    const result = fillRequest(design({ query: [{ name: 'q', value: template }] }), values)
    return result.ok ? result.value.query.map(([, value]) => value).join() : result.reason
  }
  test('the customer’s identity, the flow’s variables or the action’s arguments, each by its name', () => {
    const values = { vars: { a: 'v' }, args: { a: 'g' }, identity: 'i' }
    expect(filledWith('{{identity}}-{{vars.a}}-{{args.a}}', values)).toBe('i-v-g')
    expect(filledWith('-{{vars.b}}{{args.b}}-', values)).toBe('--')
    expect(filledWith('-{{identity}}{{vars.a}}{{args.a}}-', {})).toBe('--')
    expect(filledWith('-{{identity}}{{vars.a}}-', { identity: null, vars: { a: null } })).toBe('--')
  })
  test('no property that every object has', () => {
    expect(filledWith('-{{vars.constructor}}{{args.toString}}-', { vars: {}, args: {} })).toBe('--')
  })
})
