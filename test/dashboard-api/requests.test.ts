import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { PROBLEM_STATUS } from '../../src/http/errors.ts'
import { DASHBOARD_LIMITS } from '../../src/limits/doors.ts'
import { PROBLEM_CODES } from '../../src/vocabulary/problems.ts'
import { askApi, signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

const bearer = () => ({ authorization: `Bearer ${owner.token}` })

describe('a refusal', () => {
  test('is a problem with every field, and its request id in a header', async () => {
    const answer = await owner.ask('GET', '/nothing-here')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      type: `${world.url}/errors#not_found`,
      title: 'Not found',
      status: 404,
      detail: 'Nothing is served at this address.',
      code: 'not_found',
      reason: 'nothing_at_address',
      params: {},
      requestId: answer.headers.get('x-request-id'),
      errors: null,
    })
  })

  test('its type is a page that names every code', async () => {
    const response = await fetch(`${world.url}/errors`)
    const page = await response.text()
    for (const code of PROBLEM_CODES) expect(page).toContain(`id="${code}"`)
    expect(Object.keys(PROBLEM_STATUS)).toEqual([...PROBLEM_CODES])
  })

  test('names each wrong field, its rule and its limit', async () => {
    const answer = await owner.ask('POST', '/companies', { name: 'x'.repeat(81), colour: 'red' })
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
    expect(answer.body.errors).toEqual([
      {
        field: 'name',
        code: 'too_long',
        params: { least: 1, most: 80, count: 81 },
        message: 'must have from 1 to 80 characters, not 81',
      },
      {
        field: 'colour',
        code: 'unknown_field',
        params: {},
        message: 'is not a field of this request',
      },
    ])
    const missing = await owner.ask('POST', '/companies', {})
    expect(missing.body.errors).toEqual([
      { field: 'name', code: 'missing', params: {}, message: 'is needed' },
    ])
    const none = await owner.ask('POST', '/companies', [])
    expect(none.body.errors).toEqual([
      {
        field: '.',
        code: 'wrong_type',
        params: { type: 'object' },
        message: 'must be an object',
      },
    ])
  })

  test('names a hundred fields, whoever found them wrong, and logs no more', async () => {
    const contacts = `/companies/${shop.companyId}/contacts`
    const many = (key: string) =>
      Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${key}${at}`, 'x']))
    for (const input of [many('more'), { name: 'Sara', fields: many('field') }]) {
      const { status, body } = await owner.ask('POST', contacts, input)
      expect([status, body.errors!.length]).toEqual([422, DASHBOARD_LIMITS.fieldErrors])
    }
    expect(world.logged.filter((line) => line.length > 30_000)).toEqual([])
  })

  test('that is our fault says nothing of it, and is logged under its request id', async () => {
    await world.database.db.pool.query('alter table audit rename to audit_away')
    const answer = await owner.ask('GET', '/audit')
    await world.database.db.pool.query('alter table audit_away rename to audit')
    expect([answer.status, answer.body.code]).toEqual([500, 'internal_error'])
    expect(JSON.stringify(answer.body)).not.toContain('audit')
    const line = world.logged.find((text) => text.includes(answer.body.requestId))
    expect(line).toContain('relation \\"audit\\" does not exist')
  })

  test('of /v1 says that the REST API is not available', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${world.url}/v1/contacts`, { method })
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({
        status: 404,
        code: 'not_available',
        errors: null,
        requestId: response.headers.get('x-request-id'),
      })
    }
  })
})

test('a query with a NUL character, which no text here can hold, is refused by its field', async () => {
  const company = `/companies/${shop.companyId}`
  for (const [path, field] of [
    [`${company}/deliveries?conversationId=a%00b`, 'conversationId'],
    [`${company}/templates?name=%00`, 'name'],
  ] as const) {
    const { status, body } = await owner.ask('GET', path)
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      { field, code: 'has_nul', params: {}, message: 'must have no NUL character (%00)' },
    ])
  }
})

describe('a body', () => {
  const send = async (body: string | ReadableStream, contentType: string | null) => {
    const response = await fetch(`${world.url}/api/companies`, {
      method: 'POST',
      headers: {
        ...bearer(),
        'content-type': contentType ?? '',
      },
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    })
    return (await response.json()) as Problem
  }

  test('is JSON: anything else is refused, as the forms of other sites would be', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', null]) {
      expect((await send('{"name":"Branch"}', type)).code).toBe('unsupported_media_type')
    }
    expect((await send('{"name":', 'application/json')).code).toBe('invalid_json')
    expect((await send('{"name":"Branch"}', 'Application/JSON; charset=utf-8')).code).toBe(
      undefined,
    )
  })

  test('over a megabyte is refused, announced or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(DASHBOARD_LIMITS.bodyBytes) })
    expect((await send(large, 'application/json')).code).toBe('payload_too_large')
    const stream = new Blob([large]).stream()
    expect((await send(stream, 'application/json')).code).toBe('payload_too_large')
  })
})

describe('where a change comes from', () => {
  const change = (headers: Record<string, string>) =>
    askApi<{ code?: string }>(world.url, 'POST', '/companies', {
      json: { name: 'Branch' },
      headers: { ...bearer(), ...headers },
    })

  test('our own pages and programs are let through', async () => {
    const port = new URL(world.url).port
    for (const headers of [
      {},
      { origin: world.url },
      { origin: `http://localhost:${port}` },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      expect((await change(headers)).status).toBe(201)
    }
  })

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://127.0.0.1:1' }],
    [{ origin: 'http://127.0.0.1.evil.example' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ cookie: 'sid=anything' }],
  ])('%j is refused', async (headers) => {
    const answer = await change(headers)
    expect([answer.status, answer.body.code]).toEqual([403, 'wrong_origin'])
  })

  test('reading asks for no origin', async () => {
    const headers = { ...bearer(), origin: 'https://evil.example' }
    const answer = await askApi(world.url, 'GET', '/session', { headers })
    expect(answer.status).toBe(200)
    // And no other site is told that it may read it.
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('every answer tells browsers not to guess types, not to be framed and not to tell where from', async () => {
  for (const path of ['/healthz', '/api/session', '/nothing', '/errors']) {
    const { headers } = await fetch(`${world.url}${path}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
})

test('a request line that names a whole URL, as for a proxy, is read by its path alone', async () => {
  const { hostname, port } = new URL(world.url)
  const headers = { 'content-type': 'application/json' }
  const path = `http://another.example${new URL(shop.hookUrl).pathname}`
  const asked = request({ hostname, port, path, method: 'POST', headers }).end('[]')
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  // As a hook answers: there is no phone in it.
  expect([answer.statusCode, await json(answer)]).toMatchObject([422, { status: 'invalid_phone' }])
})

test('a program’s token goes before a browser’s cookie', async () => {
  const headers = { ...bearer(), cookie: `sid=${'x'.repeat(43)}` }
  expect((await askApi(world.url, 'GET', '/session', { headers })).status).toBe(200)
})
