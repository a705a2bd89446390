/** What reaches the merchant's server of values that would like to be more than values. */
import { describe, expect, test } from 'vitest'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { json } from '../support/shop-api.ts'
import { openCallBench, post } from './call-bench.ts'

const bench = await openCallBench()
const asPost = { method: 'POST', path: '/notes' } as const

describe('In the URL of a call', () => {
  test.each([
    ['a b', 'a%20b'],
    ['a?b=1', 'a%3Fb%3D1'],
    ['a&b', 'a%26b'],
    ['%2e%2e', '%252e%252e'],
    ['%2f', '%252f'],
    ['a\nb', 'a%0Ab'],
    ['a?b#c%2Fd e\r\n', 'a%3Fb%23c%252Fd%20e%0D%0A'],
    ['{{vars.id}}', '%7B%7Bvars.id%7D%7D'],
    ['سارة', '%D8%B3%D8%A7%D8%B1%D8%A9'],
  ])('%j arrives as %s, in the path and in the query', async (id, encoded) => {
    const query = [{ name: 'x', value: '{{vars.id}}' }]
    await bench.call(await bench.connect(), { request: { query }, fillings: { vars: { id } } })
    expect(bench.api.requests.map(({ url }) => url)).toEqual([
      `/api/orders/${encoded}?x=${encoded}`,
    ])
  })

  test.each(['', 'a\\b', 'a/b', 'a..b', '.', '..'])(
    '%j in the path is a call that is not made',
    async (id) => {
      const made = await bench.call(await bench.connect(), { fillings: { vars: { id } } })
      expect(made).toMatchObject({ isMade: false, httpStatus: null, failure: 'path_value_refused' })
      expect(bench.api.requests).toEqual([])
    },
  )

  test.each([
    ['4,096 characters are sent', 0, 1],
    ['one more is not', 1, 0],
  ])('path and query with %s', async (_, more, sent) => {
    const fixed = '/orders/?x='.length
    const id = 'a'.repeat(96)
    const x = 'b'.repeat(CALL_LIMITS.pathAndQueryChars - fixed - id.length + more)
    const made = await bench.call(await bench.connect(), {
      request: { query: [{ name: 'x', value: '{{vars.x}}' }] },
      fillings: { vars: { id, x } },
    })
    expect(made).toMatchObject(sent ? { outcome: 'success' } : { failure: 'path_too_long' })
    expect(bench.api.requests).toHaveLength(sent)
  })

  test.each(['//evil.example/x', 'https://evil.example/', '/\\evil.example', '/a/../../x'])(
    'the path %s, however it was saved, is not called',
    async (path) => {
      const made = await bench.call(await bench.connect(), { request: { path } })
      expect(made).toMatchObject({ isMade: false, failure: 'path_refused' })
      expect(bench.api.requests).toEqual([])
    },
  )
})

describe('In the body of a call', () => {
  test.each([
    'say "hi"',
    '","admin":true,"x":"',
    'a\nb',
    'a\t\u0001b',
    'سارة',
    'a\u2028b',
    '00123',
    '',
    '<script>',
    '{{vars.v}}',
    '{{args.v}}',
    '🎉 \\u0022',
  ])('%j is one string', async (v) => {
    const body = '{"v":"{{vars.v}}"}'
    await bench.call(await bench.connect(), {
      request: { ...asPost, body },
      fillings: { vars: { v } },
    })
    const [request] = bench.api.requests
    expect(JSON.parse(request!.body)).toEqual({ v })
    expect(request!.headers['content-length']).toBe(`${Buffer.byteLength(request!.body)}`)
  })

  test('a variable that is not set is an empty string', async () => {
    await bench.call(await bench.connect(), { request: { ...asPost, body: '{"v":"{{vars.v}}"}' } })
    expect(bench.api.requests[0]!.body).toBe('{"v":""}')
  })

  test.each([
    ['64 KB are sent', 0, 1],
    ['one byte more is not', 1, 0],
  ])('%s', async (_, more, sent) => {
    const v = `م${'x'.repeat(CALL_LIMITS.bodyBytes - '{"v":"م"}'.length - 1 + more)}`
    const made = await bench.call(await bench.connect(), {
      request: { ...asPost, body: '{"v":"{{vars.v}}"}' },
      fillings: { vars: { v } },
    })
    expect(made).toMatchObject(sent ? { outcome: 'success' } : { failure: 'body_too_large' })
    expect(bench.api.requests.map(({ body }) => Buffer.byteLength(body))).toEqual(
      sent ? [CALL_LIMITS.bodyBytes] : [],
    )
  })
})

describe('In a header of a call', () => {
  test.each(['a\r\nX-Admin: 1', 'a\nb', 'a\u0001b'])('%j is a call that is not made', async (v) => {
    const made = await bench.call(await bench.connect(), {
      request: { headers: [{ name: 'X-Name', value: 'to {{vars.v}}' }] },
      fillings: { vars: { id: '7', v } },
    })
    expect(made).toMatchObject({ isMade: false, failure: 'header_refused', httpStatus: null })
    expect([bench.api.requests, await bench.usedToday()]).toEqual([[], 0])
  })

  test('a credential is sent as it is, for it is added after all templating', async () => {
    const token = 'k-{{vars.id}}-{{identity}}'
    await bench.call(await bench.connect({ auth: { kind: 'bearer', token } }))
    await bench.call(await bench.connect({ auth: { kind: 'query', name: 'key', key: token } }))
    const [bearer, query] = bench.api.requests
    expect(bearer!.headers.authorization).toBe(`Bearer ${token}`)
    expect(query!.url).toBe('/api/orders/7?key=k-%7B%7Bvars.id%7D%7D-%7B%7Bidentity%7D%7D')
  })
})

test('of the calls of a UTC day a test takes one and the second try of a GET another, and what is refused before it is sent none', async () => {
  const id = await bench.connect()
  await bench.useUp(CALL_LIMITS.perAccountPerDay - 3)
  const source = { kind: 'test', personId: bench.world.service.context.ids.uuid() } as const
  expect(await bench.call(id, { fillings: {} })).toMatchObject({ isMade: false })
  expect(await bench.call(id, { source })).toMatchObject({ outcome: 'success' })
  bench.api.reply(json(500))
  expect(await bench.call(id)).toMatchObject({ attempts: 2 })
  expect(await bench.call(id)).toMatchObject({ isMade: false, failure: 'allowance_used_up' })
  expect(bench.api.requests).toHaveLength(3)
  bench.world.clock.advance(DAY_MS)
  expect(await bench.call(id, post)).toMatchObject({ isMade: true })
})
