/** Requests and refusals of the API, and its first routes: the account and its companies. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { PROBLEM_STATUS } from '../../src/http/errors.ts'
import { BODY_LIMITS, DASHBOARD_LIMITS } from '../../src/core/limits/http.ts'
import { PROBLEM_CODES } from '../../src/core/vocabulary/problems.ts'
import { apiRequest, signedIn, itemsOf, auditOf } from '../support/dashboard.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { changePlan } from '../../src/modules/accounts/change-plan.ts'
import type { AccountView, AuditView } from '../../src/contract/dashboard/account.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { Output, ChangeArguments } from '../../src/contract/dashboard/routes/client.ts'

const { world, shop, owner } = await openOwnedShop()

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
      detail: 'There’s nothing at this address.',
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
        params: { min: 1, max: 80, count: 81 },
        message: 'must be 1 to 80 characters long, not 81',
      },
      {
        field: 'colour',
        code: 'unknown_field',
        params: {},
        message: 'isn’t a known field',
      },
    ])
    const none = await owner.ask('POST', '/companies', [])
    expect(none.body.errors).toEqual([
      { field: '.', code: 'wrong_type', params: { type: 'object' }, message: 'must be an object' },
    ])
  })

  test('names a hundred fields at most, and logs no more', async () => {
    const contacts = `/companies/${shop.companyId}/contacts`
    const many = (key: string) =>
      Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${key}${at}`, 'x']))
    const refusals = async (input: object) => {
      const { status, body } = await owner.ask('POST', contacts, input)
      return [status, body.errors!.length]
    }
    expect(await refusals(many('more'))).toEqual([422, DASHBOARD_LIMITS.fieldErrors])
    // A list with more entries than allowed is not checked at all.
    expect(await refusals({ name: 'Sara', fields: many('field') })).toEqual([422, 1])
    expect(world.logged.filter((line) => line.length > 30_000)).toEqual([])
  })

  test.each([
    ['55P03', 503, 'service_unavailable', 'database_busy', '5'],
    ['57014', 503, 'service_unavailable', 'database_busy', '5'],
    ['XX000', 500, 'internal_error', 'fault_of_ours', null],
  ])(
    'for a fault %s of the database is %i and says nothing of it; it is logged under its request id',
    async (sqlState, status, code, reason, retryAfter) => {
      const end = await refuseWrites(world, 'a new contact', { code: sqlState })
      const make = () =>
        owner.ask('POST', `/companies/${shop.companyId}/contacts`, { name: 'Sara' })
      const answer = await make()
      await end()
      expect(answer).toMatchObject({ status, body: { code, reason } })
      expect(answer.headers.get('retry-after')).toBe(retryAfter)
      expect(JSON.stringify(answer.body)).not.toContain('as the test says')
      const line = world.logged.find((text) => text.includes(answer.body.requestId))!
      expect(JSON.parse(line)).toMatchObject({ msg: 'a request failed' })
      expect(line).toContain('as the test says')
      expect((await make()).status).toBe(201)
    },
  )

  test('says that the REST API is not available, on every route of /v1', async () => {
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
      { field, code: 'has_nul', params: {}, message: 'must not contain NUL characters (%00)' },
    ])
  }
})

describe('a body', () => {
  const send = async (body: string | ReadableStream, contentType: string | null) => {
    const response = await fetch(`${world.url}/api/companies`, {
      method: 'POST',
      headers: { ...bearer(), 'content-type': contentType ?? '' },
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
    const accepted = await send('{"name":"Branch"}', 'Application/JSON; charset=utf-8')
    expect(accepted.code).toBe(undefined)
  })

  test('over a megabyte is refused, announced or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(DASHBOARD_LIMITS.bodyBytes) })
    expect((await send(large, 'application/json')).code).toBe('payload_too_large')
    const stream = new Blob([large]).stream()
    expect((await send(stream, 'application/json')).code).toBe('payload_too_large')
  })

  test('with very many values, or nested very deep, is refused before it is parsed', async () => {
    const { bodyDepth, bodyValues } = DASHBOARD_LIMITS
    const refused = async (body: string) => (await send(body, 'application/json')).reason
    const nested = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const list = (values: number) => `{"name":[${Array(values).fill(1).join()}]}`
    expect(await refused(nested(bodyDepth))).toBe('body_too_deep')
    expect(await refused(nested(bodyDepth - 1))).toBe('fields_wrong')
    expect(await refused(list(bodyValues))).toBe('body_too_many_values')
    expect(await refused(list(bodyValues - 2))).toBe('fields_wrong')
  })
})

describe('where a change comes from', () => {
  const change = (headers: Record<string, string>) =>
    apiRequest<{ code?: string }>(world.url, 'POST', '/companies', {
      json: { name: 'Branch' },
      headers: { ...bearer(), ...headers },
    })

  test('pages of this service and programs are allowed', async () => {
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
    [{ 'sec-fetch-site': 'same-site' }],
    [{ cookie: 'sid=anything' }],
  ])('%j is refused', async (headers) => {
    const answer = await change(headers)
    expect([answer.status, answer.body.code]).toEqual([403, 'wrong_origin'])
  })

  test('a read needs no origin', async () => {
    const headers = { ...bearer(), origin: 'https://evil.example' }
    const answer = await apiRequest(world.url, 'GET', '/session', { headers })
    expect(answer.status).toBe(200)
    // No other site may read the answer either.
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('every answer forbids browsers to guess types, to frame it and to send its address elsewhere', async () => {
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
  // The hook answers: the request has no phone.
  expect([answer.statusCode, await json(answer)]).toMatchObject([422, { status: 'invalid_phone' }])
})

test('a program’s token takes precedence over a browser’s cookie', async () => {
  const headers = { ...bearer(), cookie: `sid=${'x'.repeat(43)}` }
  expect((await apiRequest(world.url, 'GET', '/session', { headers })).status).toBe(200)
})

describe('companies', () => {
  test('a project is a separate company inside the same account', async () => {
    const { shop: own, owner: boss } = await ownedShop(world)
    const made = await boss.ask<CompanyView>('POST', '/companies', { name: '  Jeddah branch ' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ name: 'Jeddah branch', isProject: true })
    const list = await itemsOf<CompanyView>(boss, '/companies')
    expect(list.map(({ id, isProject }) => [id, isProject])).toEqual([
      [own.companyId, false],
      [made.body.id, true],
    ])
  })

  test('is renamed; its current name changes nothing and leaves no audit entry', async () => {
    const { shop: own, owner: boss } = await ownedShop(world)
    const rename = (name: string) =>
      boss.ask<CompanyView>('PATCH', `/companies/${own.companyId}`, { name })
    expect((await rename('متجر سارة')).body.name).toBe('متجر سارة')
    expect((await rename('متجر سارة')).status).toBe(200)
    const audit = await auditOf(boss, own)
    expect(audit).toMatchObject([
      {
        action: 'company.renamed',
        person: { id: boss.personId },
        detail: { from: 'Shop', to: 'متجر سارة' },
      },
    ])
  })

  test('gets other hours and another zone, which the audit records', async () => {
    const { shop: own, owner: boss } = await ownedShop(world)
    const path = `/companies/${own.companyId}`
    const zone = { timeZone: 'Asia/Riyadh' }
    expect((await boss.ask('PATCH', path, zone)).body).toMatchObject(zone)
    expect((await boss.ask('PATCH', path, zone)).status).toBe(200)
    const audit = await auditOf(boss, own)
    expect(audit).toMatchObject([{ action: 'company.hours_changed', detail: zone }])
  })

  test('80 characters are counted as people count them, and a NUL cannot be stored', async () => {
    const { owner: boss } = await ownedShop(world)
    expect((await boss.ask('POST', '/companies', { name: '😀'.repeat(80) })).status).toBe(201)
    expect((await boss.ask('POST', '/companies', { name: '😀'.repeat(81) })).status).toBe(422)
    const made = await boss.ask<CompanyView>('POST', '/companies', { name: 'a\u0000b' })
    expect(made.body.name).toBe('a\uFFFDb')
  })
})

describe('the account', () => {
  test('shows its plan, and its Owner renames it', async () => {
    const { shop: own, owner: boss } = await ownedShop(world)
    const admin = await signedIn(world, { accountId: own.accountId, role: 'admin' })
    expect((await admin.ask('PATCH', '/account', { name: 'Mine' })).body.code).toBe('forbidden')
    const renamed = await boss.ask<AccountView>('PATCH', '/account', { name: 'Sara & sons' })
    expect(renamed.body).toMatchObject({ name: 'Sara & sons', plan: 'business' })
    expect((await boss.ask('PATCH', '/account', { plan: 'free' })).body.code).toBe('invalid')
  })

  test('only the operator changes its plan, which the audit records', async () => {
    const { shop: own, owner: boss } = await ownedShop(world)
    await changePlan(world.service.context, { accountId: own.accountId, plan: 'pro' })
    expect((await boss.ask<AccountView>('GET', '/account')).body.plan).toBe('pro')
    const audit = await itemsOf<AuditView>(boss, '/audit')
    expect(audit[0]).toMatchObject({
      action: 'account.plan_changed',
      person: null,
      detail: { from: 'business', to: 'pro' },
    })
  })
})

test('a route answers and refuses as the types of the client say', async () => {
  const { owner: boss } = await ownedShop(world)
  const [named]: ChangeArguments<'post', '/companies'> = [{ name: 'Branch' }]
  const made = await boss.ask<Output<'post', '/companies'>>('POST', '/companies', named)
  const renamed = await boss.ask<Output<'patch', '/companies/:companyId'>>(
    'PATCH',
    `/companies/${made.body.id}`,
    { name: 'Riyadh branch' },
  )
  expect(renamed.body.name).toBe('Riyadh branch')
  const list = await boss.ask<Output<'get', '/companies'>>('GET', '/companies?limit=1')
  expect(list.body.items).toHaveLength(1)
  // @ts-expect-error -- a company is named by its name, not by its title
  const [wrong]: ChangeArguments<'post', '/companies'> = [{ title: 'Branch' }]
  expect((await boss.ask('POST', '/companies', wrong)).status).toBe(422)
})

test('requests without a session are limited for each address; members behind it are not', async () => {
  world.clock.advance(2 * 60_000)
  const stranger = async () => (await apiRequest(world.url, 'GET', '/session')).status
  const wrongToken = async () =>
    (
      await apiRequest(world.url, 'GET', '/session', {
        headers: { authorization: `Bearer ${'x'.repeat(43)}` },
      })
    ).status
  const max = BODY_LIMITS.withoutSessionPerAddressPerMinute
  const answers = new Set<number>()
  for (let asked = 0; asked < max; asked += 50) {
    for (const status of await Promise.all(Array.from({ length: 50 }, stranger)))
      answers.add(status)
  }
  expect([...answers]).toEqual([401])
  expect(await stranger()).toBe(429)
  expect(await wrongToken()).toBe(429)
  const member = await apiRequest(world.url, 'GET', '/session', { headers: bearer() })
  expect(member.status).toBe(200)
  world.clock.advance(60_001)
  expect(await stranger()).toBe(401)
})
