import { describe, expect, test } from 'vitest'
import type { RequestDesign } from '../../../src/rules/calls/fill-request.ts'
import { validateCallRequest } from '../../../src/rules/calls/validate-call-request.ts'
import { validateKeyHeaderName } from '../../../src/rules/calls/call-headers.ts'
import { placeholdersOf } from '../../../src/rules/calls/call-placeholders.ts'

const faults = (part: Partial<RequestDesign>) =>
  validateCallRequest(
    { method: 'POST', path: '/orders', query: [], headers: [], body: null, ...part },
    (name) => ['vars.x', 'vars.y', 'vars.order_id', 'vars.name'].includes(name),
  ).map(({ field, code }) => `${field}: ${code}`)

describe('A path starts with /, without . or .. segments, query or fragment', () => {
  test.each([
    ['/orders', []],
    ['/', []],
    ['/a b', []],
    ['/a/{{vars.x}}{{vars.y}}', []],
    ['/a..b/...', []],
    ['orders', ['path: no_slash']],
    ['', ['path: no_slash']],
    ['//evil.example/a', ['path: two_slashes']],
    ['https://evil.example/', ['path: no_slash']],
    ['/a?b=1', ['path: query']],
    ['/a#b', ['path: fragment']],
    ['/a/../b', ['path: dot_segment']],
    ['/a/./b', ['path: dot_segment']],
    ['/a/%2E%2e/b', ['path: dot_segment']],
    ['/a\\..\\b', ['path: bad_character']],
    ['/a\u007fb', ['path: bad_character']],
    ['/a\nb', ['path: bad_character']],
    ['/a/{{vars.x', ['path: broken_placeholder']],
    ['/a/{{x}}', ['path: broken_placeholder']],
    ['/a/{{args.x}}', ['path: unknown_placeholder']],
    ['/a/{{identity}}', ['path: unknown_placeholder']],
  ])('%s', (path, expected) => expect(faults({ path })).toEqual(expected))
})

describe('A header of these names cannot be set', () => {
  test.each(
    `authorization Cookie Host Content-Type content-length Transfer-Encoding Connection Keep-Alive TE
    Trailer Upgrade Expect Set-Cookie Forwarded proxy-x Proxy-Authorization Sec-Fetch-Mode
    X-Forwarded-For User-Agent Accept-Encoding X-HTTP-Method-Override x-method-override X-HTTP-Method
    Content-Encoding HTTP2-Settings`.split(/\s+/),
  )('%s', (name) =>
    expect(faults({ headers: [{ name, value: 'v' }] })).toEqual(['headers[0].name: not_settable']),
  )
  test.each(['X-Shop', 'Accept', 'Idempotency-Key', 'X-Forwarded'])('but %s can', (name) =>
    expect(faults({ headers: [{ name, value: '{{vars.x}}' }] })).toEqual([]),
  )
  test('a value may have a tab and letters of every kind', () => {
    expect(faults({ headers: [{ name: 'X-A', value: 'a\tم é \u0080' }] })).toEqual([])
  })
  test.each(['\0', '\u0008', '\n', '\u001f', '\u007f'])('a value has no %j', (control) => {
    const found = faults({ headers: [{ name: 'X-A', value: `a${control}` }] })
    expect(found).toEqual(['headers[0].value: control_character'])
  })
  test('a name is a name, and there once; a value has no line break', () => {
    const headers = [
      { name: '', value: 'v' },
      { name: 'X Shop', value: 'v' },
      { name: 'X-Shop', value: 'a\r\nb' },
      { name: 'x-shop', value: '{{vars.z}}' },
      { name: 'X-{{vars.x}}', value: '{{' },
      { name: 'X-A\r\nB', value: 'v' },
    ]
    expect(faults({ headers })).toEqual([
      'headers[0].name: missing',
      'headers[1].name: bad_name_character',
      'headers[2].value: control_character',
      'headers[3].name: twice',
      'headers[4].name: bad_name_character',
      'headers[5].name: bad_name_character',
      'headers[3].value: unknown_placeholder',
      'headers[4].value: broken_placeholder',
    ])
  })
  test('a header is set only once, also in other letter case', () => {
    const headers = ['x-shop', 'X-Shop'].map((name) => ({ name, value: 'v' }))
    expect(faults({ headers })).toEqual(['headers[1].name: twice'])
    expect(faults({ headers: headers.toReversed() })).toEqual(['headers[1].name: twice'])
  })
  test('the header of a connection’s key may be Authorization, and no other of them', () => {
    expect(validateKeyHeaderName('Authorization')).toBeNull()
    expect(validateKeyHeaderName('Cookie')).toBe('not_settable')
  })
})

describe('A body is a JSON object or array, each placeholder inside quotes', () => {
  test.each([
    ['{"id":"{{vars.order_id}}"}', []],
    ['{"id":"order {{vars.order_id}} of {{vars.name}}"}', []],
    ['[1,{"a":{"b":1}}]', []],
    ['"text"', ['body: not_a_container']],
    ['5', ['body: not_a_container']],
    ['{a:1}', ['body: not_json']],
    ['{"id":{{vars.x}}}', ['body: placeholder_outside_quotes']],
    ['{"{{vars.x}}":1}', ['body: placeholder_in_name']],
    ['{"id":"{{order}}"}', ['body: broken_placeholder']],
    ['{"id":"{{vars.z}}"}', ['body: unknown_placeholder']],
    [`{"a":"${'م'.repeat(40_000)}"}`, ['body: too_large']],
    [`{"a":"${'x'.repeat(65_536 - 8)}"}`, []],
    [`{"a":"${'x'.repeat(65_536 - 7)}"}`, ['body: too_large']],
    ['{"a":"{{vars.x}}","b":{"c":"d"}}', []],
    ['{"a":{{vars.x}},"b":', ['body: not_json']],
    ['{"a\\"b": "{{vars.x}}"}', []],
    ['{"{{vars" : 1}', ['body: broken_placeholder']],
    ['["{{vars.x}}" , {"a" : "{{vars.y}}"}]', []],
    ['{"a{{vars.x}}" : 1}', ['body: placeholder_in_name']],
  ])('%s', (body, expected) => expect(faults({ body })).toEqual(expected))

  test.each(['POST', 'PATCH', 'GET'] as const)('may be empty for %s', (method) => {
    for (const body of ['', ' \n']) expect(faults({ method, body })).toEqual([])
  })

  test.each(['POST', 'PUT', 'PATCH'] as const)('is allowed for %s', (method) =>
    expect(faults({ method, body: '{"a":1}' })).toEqual([]),
  )

  test.each(['GET', 'DELETE'] as const)('is refused for %s, which has none', (method) =>
    expect(faults({ method, body: '{}' })).toEqual(['body: no_body']),
  )
})

test('a query parameter has a name without placeholders', () => {
  const query = [
    { name: '', value: '1' },
    { name: 'a{{vars.x}}', value: '{{vars.z}}' },
    { name: 'ids[]', value: '{{vars.x}}' },
    { name: 'a{{x', value: '1' },
  ]
  expect(faults({ query })).toEqual([
    'query[0].name: missing',
    'query[1].name: placeholder_in_name',
    'query[1].value: unknown_placeholder',
    'query[3].name: placeholder_in_name',
  ])
})

test('the placeholders of a template are named once, in their order', () => {
  const named = placeholdersOf('{{vars.b}} {{ args.a }} {{identity}} {{vars.b}} {{contact.name}}')
  expect(named).toEqual(['vars.b', 'args.a', 'identity'])
})
