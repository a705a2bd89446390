import { describe, expect, test } from 'vitest'
import { authColumns } from '../../src/connections/create-connection.ts'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { CREDENTIAL_REMOVED } from '../../src/rules/calls/redact-credential.ts'
import { json } from '../support/shop-api.ts'
import { createShop } from '../support/shop.ts'
import { callBench, post, TOKEN } from './call-bench.ts'

const bench = callBench()

describe('A call is sent', () => {
  test('with the service’s headers, the connection’s, the step’s, and the credential last', async () => {
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
      authorization: `Bearer ${TOKEN}`,
    })
  })

  test('without Content-Type where there is no body, and without Cookie, whatever was answered', async () => {
    const id = await bench.connect({ auth: { kind: 'none' } })
    bench.api.reply((_, response) => response.writeHead(200, { 'set-cookie': 'a=b' }).end('{}'))
    for (const method of ['GET', 'DELETE', 'POST', 'PATCH', 'PUT'] as const) {
      await bench.call(id, { request: { method } })
      const { headers } = bench.api.requests.at(-1)!
      for (const absent of ['content-type', 'cookie', 'authorization']) {
        expect(headers).not.toHaveProperty(absent)
      }
    }
    expect(bench.api.requests.map(({ method }) => method)).toEqual([
      'GET',
      'DELETE',
      'POST',
      'PATCH',
      'PUT',
    ])
  })

  test.each<[string, ConnectionAuth, object]>([
    [
      'Basic',
      { kind: 'basic', username: 'sara', password: 'كلمة:1' },
      { authorization: `Basic ${Buffer.from('sara:كلمة:1').toString('base64')}` },
    ],
    [
      'an API key in a header',
      { kind: 'header', name: 'X-Api-Key', key: 'k' },
      { 'x-api-key': 'k' },
    ],
  ])('with %s', async (_, auth, headers) => {
    await bench.call(await bench.connect({ auth }))
    expect(bench.api.requests[0]!.headers).toMatchObject(headers)
  })

  test('with an API key in the query, in the place of a parameter of that name in any case', async () => {
    const id = await bench.connect({ auth: { kind: 'query', name: 'key', key: 'a&b =' } })
    const query = [
      { name: 'KEY', value: 'mine' },
      { name: 'key', value: 'mine' },
      { name: 'page', value: '1' },
    ]
    const made = await bench.call(id, { request: { query } })
    expect(bench.api.requests[0]!.url).toBe('/api/orders/7?page=1&key=a%26b%20%3D')
    expect(made.sent!.url).toBe(`${bench.api.baseUrl}/orders/7?page=1`)
  })

  test('with an API key in a header, in the place of headers of that name in any case', async () => {
    const id = await bench.connect({
      auth: { kind: 'header', name: 'X-Key', key: 'k' },
      headers: [{ name: 'x-key', value: 'mine' }],
    })
    await bench.call(id, { request: { headers: [{ name: 'X-KEY', value: 'mine' }] } })
    expect(bench.api.requests[0]!.headers['x-key']).toBe('k')
  })

  test('with what the connection says at that moment', async () => {
    const id = await bench.connect()
    await bench.call(id)
    const owner = { id, companyId: bench.shop.companyId }
    const auth = { kind: 'bearer', token: 'rotated-token' } as const
    await bench.world.database.db.kysely
      .updateTable('apiConnection')
      .set({
        ...authColumns(bench.world.service.keyRing, owner, auth),
        baseUrl: `${bench.api.baseUrl}/v2/`,
      })
      .where('id', '=', id)
      .execute()
    await bench.call(id)
    expect(bench.api.requests[1]).toMatchObject({
      url: '/api/v2/orders/7',
      headers: { authorization: 'Bearer rotated-token' },
    })
  })

  test('with arguments and the customer’s identity too', async () => {
    const id = await bench.connect()
    const request = { path: '/{{args.order}}/{{identity}}' }
    await bench.call(id, { request, fillings: { args: { order: '9' }, identity: '+966501234567' } })
    expect(bench.api.requests[0]!.url).toBe('/api/9/%2B966501234567')
  })
})

describe('A call is not made', () => {
  const notMade = { outcome: 'failed', isMade: false, httpStatus: null, attempts: 0 }
  test('through a connection that is off, except to test it', async () => {
    const id = await bench.connect({ isOn: false })
    expect(await bench.call(id)).toMatchObject({ ...notMade, failure: 'connection_off' })
    expect(bench.api.requests).toHaveLength(0)
    expect(await bench.call(id, { evenIfOff: true })).toMatchObject({ outcome: 'success' })
  })

  test('through one that is deleted, or another company’s', async () => {
    const other = await createShop(bench.world, { phoneNumberId: 'o', businessAccountId: 'o' })
    const theirs = await bench.connect({ companyId: other.companyId })
    expect(await bench.call(theirs)).toMatchObject({ ...notMade, failure: 'connection_deleted' })
    const unknown = bench.world.service.context.ids.uuid()
    expect(await bench.call(unknown)).toMatchObject({ ...notMade, failure: 'connection_deleted' })
  })

  test('after the account has left Business', async () => {
    const id = await bench.connect()
    await bench.world.database.db.kysely
      .updateTable('account')
      .set({ plan: 'pro' })
      .where('id', '=', bench.shop.accountId)
      .execute()
    expect(await bench.call(id)).toMatchObject({ ...notMade, failure: 'not_in_plan' })
    expect(await bench.call(id, { evenIfOff: true })).toMatchObject({ failure: 'not_in_plan' })
    expect(bench.api.requests).toHaveLength(0)
  })

  test('when its credential cannot be read', async () => {
    const [id, from] = [await bench.connect(), await bench.connect()]
    // A value that was moved from another row.
    await bench.world.database.db.pool.query(
      'update api_connection set credential = (select credential from api_connection where id = $1) where id = $2',
      [from, id],
    )
    expect(await bench.call(id)).toMatchObject({ ...notMade, failure: 'credential_unreadable' })
  })

  test('when a path value is empty; it counts for nothing', async () => {
    const id = await bench.connect()
    const made = await bench.call(id, { fillings: {} })
    expect(made).toMatchObject({ ...notMade, failure: 'path_value_refused', sent: null })
    expect([await bench.usedToday(), await bench.logged(), bench.api.requests]).toEqual([0, [], []])
  })

  test('when no time is left for it, or its caller calls it off', async () => {
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
  const most = CALL_LIMITS.perAccountPerDay
  test('after 10,000 attempts calls are not made until the next day', async () => {
    const id = await bench.connect()
    await bench.useUp(most)
    expect(await bench.call(id, post)).toMatchObject({
      isMade: false,
      failure: 'allowance_used_up',
    })
    expect(bench.api.requests).toHaveLength(0)
    bench.world.clock.advance(DAY_MS)
    expect(await bench.call(id, post)).toMatchObject({ outcome: 'success' })
  })

  test('of ten calls at once at 9,999 one is made', async () => {
    const id = await bench.connect()
    await bench.useUp(most - 1)
    const made = await Promise.all(Array.from({ length: 10 }, () => bench.call(id, post)))
    expect(made.filter(({ isMade }) => isMade)).toHaveLength(1)
    expect(bench.api.requests).toHaveLength(1)
  })

  test('an account and its projects share them', async () => {
    const projectId = bench.world.service.context.ids.uuid()
    await bench.world.database.db.kysely
      .insertInto('company')
      .values({
        id: projectId,
        accountId: bench.shop.accountId,
        name: 'Project',
        isProject: true,
        createdAt: bench.world.clock.now(),
      })
      .execute()
    const id = await bench.connect({ companyId: projectId })
    await bench.useUp(most - 1)
    const asProject = () => bench.call(id, { ...post, companyId: projectId })
    expect(await asProject()).toMatchObject({ outcome: 'success' })
    expect(await asProject()).toMatchObject({ failure: 'allowance_used_up' })
    expect(await bench.call(await bench.connect(), post)).toMatchObject({
      failure: 'allowance_used_up',
    })
  })
})

describe('The caller is asked right before each attempt', () => {
  test('with its number, when everything else is ready', async () => {
    bench.api.reply(json(500))
    const asked: [number, number][] = []
    const onAttempt = async (attempt: number) => {
      asked.push([attempt, bench.api.requests.length])
      return true
    }
    expect(await bench.call(await bench.connect(), { onAttempt })).toMatchObject({ attempts: 2 })
    expect(asked).toEqual([
      [1, 0],
      [2, 1],
    ])
  })

  test('and may leave out the second', async () => {
    bench.api.reply(json(500))
    const made = await bench.call(await bench.connect(), {
      onAttempt: async (attempt) => attempt === 1,
    })
    expect(made).toMatchObject({ attempts: 1, failure: 'http_error', httpStatus: 500 })
  })
})

test('the credential stands neither in what is written down nor in what is told of a failure', async () => {
  const token = 'shop-key-2026'
  const id = await bench.connect({ auth: { kind: 'bearer', token } })
  bench.api.reply((_, response) => response.writeHead(200, { 'content-encoding': token }).end('x'))
  const made = await bench.call(id, { fillings: { vars: { id: `of-${token}` } } })
  expect(made.detail).toEqual({
    code: 'call_answer_packed',
    params: { encoding: CREDENTIAL_REMOVED },
  })
  expect((await bench.logged()).map(({ path }) => path)).toEqual([
    `/api/orders/of-${CREDENTIAL_REMOVED}`,
  ])
})

test('every attempt is written down with its host and path, without query and values', async () => {
  const id = await bench.connect({ auth: { kind: 'query', name: 'key', key: TOKEN } })
  const source = {
    kind: 'action',
    actionId: bench.world.service.context.ids.uuid(),
    conversationId: 'c',
  } as const
  await bench.call(id, { source, request: { query: [{ name: 'phone', value: '+966501234567' }] } })
  expect(await bench.logged()).toEqual([
    {
      id: expect.any(String),
      companyId: bench.shop.companyId,
      connectionId: id,
      source: 'action',
      runId: null,
      stepId: null,
      actionId: source.actionId,
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
