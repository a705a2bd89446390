import { describe, expect, test } from 'vitest'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { REMOVED } from '../../src/infra/redaction/redactor.ts'
import { makeProject, setPlan } from '../support/records/accounts.ts'
import { connectionOf, putConnection, setAuth } from '../support/records/calls.ts'
import { API_TOKEN, json } from '../support/shop-api.ts'
import { createOwnShop } from '../support/shop.ts'
import { openCallBench, post } from './call-bench.ts'

const bench = await openCallBench()
const max = CALL_LIMITS.perAccountPerDay

describe('A call is sent', () => {
  test('with the headers of service, connection and step, and the credential last', async () => {
    const id = await bench.connect({
      headers: [
        { name: 'X-Shop', value: 'riyadh' },
        { name: 'X-Both', value: 'connection' },
      ],
    })
    const made = await bench.call(id, {
      request: {
        method: 'POST',
        query: [
          { name: 'lang', value: 'ar' },
          { name: 'none', value: '{{vars.none}}' },
        ],
        headers: [
          { name: 'x-both', value: 'step' },
          { name: 'X-Name', value: 'سارة' },
        ],
        body: '{"id":"{{vars.id}}"}',
      },
    })
    expect(made).toMatchObject({ outcome: 'success', isMade: true, httpStatus: 200, attempts: 1 })
    const [received] = bench.api.requests
    expect(received).toMatchObject({
      method: 'POST',
      url: '/api/orders/7?lang=ar',
      body: '{"id":"7"}',
    })
    expect(received!.headers).toEqual({
      host: new URL(bench.api.baseUrl).host,
      connection: 'keep-alive',
      'user-agent': 'Service-Automations/1.0',
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'x-shop': 'riyadh',
      'x-both': 'step',
      'x-name': Buffer.from('سارة').toString('latin1'),
      'content-type': 'application/json; charset=utf-8',
      'content-length': '10',
      authorization: `Bearer ${API_TOKEN}`,
    })
  })

  test('without Content-Type if it has no body, and never with Cookie', async () => {
    const id = await bench.connect({ auth: { kind: 'none' } })
    bench.api.reply((_, response) => response.writeHead(200, { 'set-cookie': 'a=b' }).end('{}'))
    const methods = ['GET', 'DELETE', 'POST', 'PATCH', 'PUT'] as const
    for (const method of methods) {
      await bench.call(id, { request: { method } })
      const { headers } = bench.api.requests.at(-1)!
      for (const absent of ['content-type', 'cookie', 'authorization']) {
        expect(headers).not.toHaveProperty(absent)
      }
    }
    expect(bench.api.requests.map(({ method }) => method)).toEqual(methods)
  })

  test('with Basic', async () => {
    const auth = { kind: 'basic', username: 'sara', password: 'كلمة:1' } as const
    await bench.call(await bench.connect({ auth }))
    const authorization = `Basic ${Buffer.from('sara:كلمة:1').toString('base64')}`
    expect(bench.api.requests[0]!.headers).toMatchObject({ authorization })
  })

  test('with an API key in the query that replaces parameters of that name in any case', async () => {
    const id = await bench.connect({ auth: { kind: 'query', name: 'key', key: 'a&b =' } })
    const query = [
      { name: 'KEY', value: 'mine' },
      { name: 'key', value: 'mine' },
      { name: 'page', value: '1' },
    ]
    const made = await bench.call(id, { request: { query } })
    expect(bench.api.requests[0]!.url).toBe('/api/orders/7?page=1&key=a%26b%20%3D')
    expect(made.sent!.url).toBe(`${bench.api.baseUrl}/orders/7?page=1&key=••••`)
  })

  test('with an API key in a header that replaces headers of that name in any case', async () => {
    const id = await bench.connect({
      auth: { kind: 'header', name: 'X-Key', key: 'k' },
      headers: [{ name: 'x-key', value: 'mine' }],
    })
    await bench.call(id, { request: { headers: [{ name: 'X-KEY', value: 'mine' }] } })
    expect(bench.api.requests[0]!.headers['x-key']).toBe('k')
  })

  test("with the connection's values of that moment", async () => {
    const id = await bench.connect()
    await bench.call(id)
    const its = { companyId: bench.shop.companyId, connectionId: id }
    await setAuth(bench.world, its, { kind: 'bearer', token: 'rotated-token' })
    await putConnection(bench.world, its, { baseUrl: `${bench.api.baseUrl}/v2/` })
    await bench.call(id)
    expect(bench.api.requests[1]).toMatchObject({
      url: '/api/v2/orders/7',
      headers: { authorization: 'Bearer rotated-token' },
    })
  })

  test('with arguments and the customer’s identity', async () => {
    const id = await bench.connect()
    const request = { path: '/{{args.order}}/{{identity}}' }
    await bench.call(id, { request, fillings: { args: { order: '9' }, identity: '+966501234567' } })
    expect(bench.api.requests[0]!.url).toBe('/api/9/%2B966501234567')
  })

  test('with any values in their places: encoded in the URL, one string in the body', async () => {
    const id = 'سارة "?b#c%2Fd\n{{vars.x}}'
    const query = [{ name: 'x', value: '{{vars.id}}' }]
    const request = { method: 'POST', query, body: '{"v":"{{vars.id}}"}' } as const
    await bench.call(await bench.connect(), { request, fillings: { vars: { id } } })
    const [sent] = bench.api.requests
    const encoded = '%D8%B3%D8%A7%D8%B1%D8%A9%20%22%3Fb%23c%252Fd%0A%7B%7Bvars.x%7D%7D'
    expect(sent!.url).toBe(`/api/orders/${encoded}?x=${encoded}`)
    expect(JSON.parse(sent!.body)).toEqual({ v: id })
    expect(sent!.headers['content-length']).toBe(`${Buffer.byteLength(sent!.body)}`)
  })

  test('with a literal credential, which is added after all templating', async () => {
    const token = 'k-{{vars.id}}-{{identity}}'
    await bench.call(await bench.connect({ auth: { kind: 'bearer', token } }))
    await bench.call(await bench.connect({ auth: { kind: 'query', name: 'key', key: token } }))
    const [bearer, query] = bench.api.requests
    expect(bearer!.headers.authorization).toBe(`Bearer ${token}`)
    expect(query!.url).toBe('/api/orders/7?key=k-%7B%7Bvars.id%7D%7D-%7B%7Bidentity%7D%7D')
  })
})

describe('A call is not made', () => {
  const notMade = { outcome: 'failed', isMade: false, httpStatus: null, attempts: 0 }
  test('after the account has left Business', async () => {
    const id = await bench.connect()
    await setPlan(bench.world, bench.shop, 'pro')
    expect(await bench.call(id)).toMatchObject({ ...notMade, failure: 'not_in_plan' })
    expect(await bench.call(id, { evenIfOff: true })).toMatchObject({ failure: 'not_in_plan' })
    expect(bench.api.requests).toHaveLength(0)
  })

  test('when its credential cannot be decrypted', async () => {
    const [id, from] = [await bench.connect(), await bench.connect()]
    // The credential was encrypted for another row.
    const { credential } = await connectionOf(bench.world, { connectionId: from })
    await putConnection(bench.world, { connectionId: id }, { credential })
    expect(await bench.call(id)).toMatchObject({ ...notMade, failure: 'credential_unreadable' })
  })

  test('when a path value is empty, and does not count', async () => {
    const id = await bench.connect()
    const made = await bench.call(id, { fillings: {} })
    expect(made).toMatchObject({ ...notMade, failure: 'path_value_refused', sent: null })
    expect([await bench.usedToday(), await bench.logged(), bench.api.requests]).toEqual([0, [], []])
  })

  test('when no time is left, or its caller cancels it', async () => {
    const id = await bench.connect()
    expect(await bench.call(id, { withinMs: 0 })).toMatchObject({
      ...notMade,
      failure: 'no_time_left',
    })
    const off = await bench.call(id, { onAttempt: async () => false })
    expect(off).toMatchObject({ ...notMade, failure: 'not_wanted' })
    expect([await bench.usedToday(), bench.api.requests]).toEqual([0, []])
  })
})

describe('Calls per account per day (UTC)', () => {
  test('are limited also for ten concurrent calls at 9,999: one is made', async () => {
    const id = await bench.connect()
    await bench.useUp(max - 1)
    const made = await Promise.all(Array.from({ length: 10 }, () => bench.call(id, post)))
    expect(made.filter(({ isMade }) => isMade)).toHaveLength(1)
    expect(bench.api.requests).toHaveLength(1)
  })

  test('are shared by an account and its projects', async () => {
    const project = await createOwnShop(bench.world)
    const { companyId } = project
    await makeProject(bench.world, project, bench.shop)
    const id = await bench.connect({ companyId })
    await bench.useUp(max - 1)
    const asProject = () => bench.call(id, { ...post, companyId })
    expect(await asProject()).toMatchObject({ outcome: 'success' })
    expect(await asProject()).toMatchObject({ failure: 'allowance_used_up' })
    expect(await bench.call(await bench.connect(), post)).toMatchObject({
      failure: 'allowance_used_up',
    })
  })

  test('include tests and retries of a GET, but no call that is refused before it is sent', async () => {
    const id = await bench.connect()
    await bench.useUp(max - 3)
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
})

test('the caller is asked right before each attempt, with its number, and may refuse the second', async () => {
  bench.api.reply(json(500))
  const id = await bench.connect()
  const asked: [number, number][] = []
  const onAttempt = async (attempt: number) => {
    asked.push([attempt, bench.api.requests.length])
    return true
  }
  expect(await bench.call(id, { onAttempt })).toMatchObject({ attempts: 2 })
  expect(asked).toEqual([
    [1, 0],
    [2, 1],
  ])
  const once = await bench.call(id, { onAttempt: async (attempt) => attempt === 1 })
  expect(once).toMatchObject({ attempts: 1, failure: 'http_error', httpStatus: 500 })
})

test('the credential is neither in the log nor in the detail of a failure', async () => {
  const token = 'shop-key-2026'
  const id = await bench.connect({ auth: { kind: 'bearer', token } })
  bench.api.reply((_, response) => response.writeHead(200, { 'content-encoding': token }).end('x'))
  const made = await bench.call(id, { fillings: { vars: { id: `of-${token}` } } })
  expect(made.detail).toEqual({
    code: 'call_answer_packed',
    params: { encoding: REMOVED },
  })
  expect((await bench.logged()).map(({ path }) => path)).toEqual([`/api/orders/of-${REMOVED}`])
})

test('every attempt is logged with its host and path, without query and values', async () => {
  const id = await bench.connect({ auth: { kind: 'query', name: 'key', key: API_TOKEN } })
  const actionId = bench.world.service.context.ids.uuid()
  const source = { kind: 'action', actionId, conversationId: 'c' } as const
  await bench.call(id, { source, request: { query: [{ name: 'phone', value: '+966501234567' }] } })
  expect(await bench.logged()).toEqual([
    {
      id: expect.any(String),
      companyId: bench.shop.companyId,
      connectionId: id,
      source: 'action',
      runId: null,
      stepId: null,
      actionId,
      conversationId: 'c',
      personId: null,
      method: 'GET',
      host: new URL(bench.api.baseUrl).host,
      path: '/api/orders/7',
      isRepeat: false,
      status: 200,
      error: null,
      durationMs: expect.any(Number),
      startedAt: bench.world.clock.now(),
    },
  ])
})

describe('With concurrent calls', () => {
  test('each gets the answer for its own connection', async () => {
    const other = await createOwnShop(bench.world)
    const theirs = await bench.connect({ companyId: other.companyId })
    const own = await bench.connect()
    const off = await bench.connect({ isOn: false })
    const made = await Promise.all([
      bench.call(off),
      bench.call(own, { request: { path: '/first' } }),
      bench.call(theirs),
      bench.call(own, { fillings: {} }),
      bench.call(theirs, { companyId: other.companyId, request: { path: '/second' } }),
      bench.call(off, { evenIfOff: true, request: { path: '/third' } }),
      bench.call(bench.world.service.context.ids.uuid()),
    ])
    expect(made.map(({ failure }) => failure)).toEqual([
      'connection_off',
      null,
      'connection_deleted',
      'path_value_refused',
      null,
      null,
      'connection_deleted',
    ])
    expect(bench.api.requests.map(({ url }) => url).toSorted()).toEqual([
      '/api/first',
      '/api/second',
      '/api/third',
    ])
    // The own account made two calls: the one of the connection that is on, and the test.
    expect(await bench.usedToday()).toBe(2)
    expect((await bench.logged()).map(({ path }) => path).toSorted()).toEqual([
      '/api/first',
      '/api/third',
    ])
  })

  test('one with a wrong connection id fails alone', async () => {
    const id = await bench.connect()
    const calls = [bench.call(id), bench.call('no connection id'), bench.call(id)]
    const statuses = (await Promise.allSettled(calls)).map(({ status }) => status)
    expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await bench.usedToday()).toBe(2)
  })

  test('one that cannot be logged leaves the entries of the others', async () => {
    const id = await bench.connect()
    const source = { kind: 'test', personId: 'not a person' } as const
    const made = await Promise.all([bench.call(id), bench.call(id, { source }), bench.call(id)])
    expect(made.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'success'])
    expect(await bench.logged()).toHaveLength(2)
  })
})

test('a reserved call that is not made is released', async () => {
  const id = await bench.connect()
  await bench.useUp(max - 1)
  const off = await bench.call(id, { onAttempt: async () => false })
  expect(off).toMatchObject({ isMade: false, failure: 'not_wanted' })
  const unrecorded = bench.call(id, { onAttempt: () => Promise.reject(new Error('locked')) })
  await expect(unrecorded).rejects.toThrow('locked')
  expect(await bench.usedToday()).toBe(max - 1)
  await putConnection(bench.world, { connectionId: id }, { credential: 'v1.gone.x.y' })
  expect(await bench.call(id)).toMatchObject({ failure: 'credential_unreadable' })
  expect(await bench.usedToday()).toBe(max - 1)
  expect(await bench.call(await bench.connect(), post)).toMatchObject({ outcome: 'success' })
})

test.each([
  ['an unavailable database', new Error('Connection terminated unexpectedly')],
  ['a statement that fails', Object.assign(new Error('lock timeout'), { code: '55P03' })],
])(
  'A GET whose retry is prevented by %s keeps its first response, so that its caller repeats nothing',
  async (_cause, error) => {
    bench.api.reply(json(503))
    const made = await bench.call(await bench.connect(), {
      onAttempt: (number) => (number === 2 ? Promise.reject(error) : Promise.resolve(true)),
    })
    expect(made).toMatchObject({ outcome: 'failed', httpStatus: 503, attempts: 1 })
    expect(bench.api.requests).toHaveLength(1)
    expect(await bench.usedToday()).toBe(1)
  },
)
