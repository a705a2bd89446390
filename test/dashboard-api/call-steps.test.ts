import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DraftCheck, FlowDetail, TestedCall } from '../../src/contract/dashboard/flow.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { API_TOKEN, callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import type { ShopApi } from '../support/shop-api.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
let api: ShopApi
let connectionId: string
beforeAll(async () => {
  world = await createWorld()
  api = await startShopApi(world)
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  connectionId = world.service.context.ids.uuid()
  const { companyId } = shop
  await connectApi(world, { id: connectionId, companyId, baseUrl: api.baseUrl })
})
afterAll(async () => {
  await api.close()
  await world.close()
})

const flows = () => `/companies/${shop.companyId}/flows`
const flow = () => `${flows()}/${shop.flowId}`

/** Saves a draft of the shop's flow that calls before it sends. */
function save(request: object = {}, keep: object[] = []) {
  const call = callStep(connectionId, request, { next: 'tell', onFailure: null, keep })
  return owner.ask<FlowDetail>('PUT', `${flow()}/draft`, {
    channelId: shop.channelId,
    trigger: {
      kind: 'webhook',
      phonePath: 'customer.phone',
      namePath: null,
      languagePath: null,
      keep: [{ name: 'order', path: 'order.number' }],
    },
    start: 'call',
    steps: { call, ...ORDER_READY_STEPS },
  })
}
const fieldsOf = (answer: { body: unknown }) =>
  (answer.body as { errors?: { field: string; code: string }[] }).errors?.map(
    ({ field, code }) => `${field}: ${code}`,
  )

describe('A draft with a call', () => {
  test('is saved, checked and published', async () => {
    const keep = [{ name: 'status', path: 'order.status' }]
    expect((await save({}, keep)).status).toBe(200)
    const check = await owner.ask<DraftCheck>('GET', `${flow()}/draft/check`)
    expect(check.body).toEqual({ canBePublished: true, problems: [] })
    expect((await owner.ask('POST', `${flow()}/publish`)).status).toBe(200)
  })

  test.each([
    ['HEAD', { method: 'HEAD' }, 'steps.call.request.method: not_a_choice'],
    ['TRACE', { method: 'TRACE' }, 'steps.call.request.method: not_a_choice'],
    ['no slash', { path: 'orders' }, 'steps.call.request.path: no_slash'],
    ['a .. segment', { path: '/a/../b' }, 'steps.call.request.path: dot_segment'],
    ['another host', { path: '//evil.example/a' }, 'steps.call.request.path: two_slashes'],
    ['a broken placeholder', { path: '/{{vars.x' }, 'steps.call.request.path: broken_placeholder'],
    ['{{args.x}}', { path: '/{{args.x}}' }, 'steps.call.request.path: unknown_placeholder'],
    [
      'a cookie',
      { headers: [{ name: 'Cookie', value: 'v' }] },
      'steps.call.request.headers[0].name: not_settable',
    ],
    ['a body on GET', { body: '{}' }, 'steps.call.request.body: no_body'],
    [
      'a text for a body',
      { method: 'POST', body: '"x"' },
      'steps.call.request.body: not_a_container',
    ],
    ['a 3-part secret', { credential: 'x' }, 'steps.call.request.credential: unknown_field'],
  ])('is refused with %s', async (_, request, field) => {
    const answer = await save(request)
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual([field])
  })

  test.each([
    [{ method: 'GET', path: '/a b' }],
    [{ method: 'POST', body: '{"id":"order {{vars.order}} of {{vars.name}}"}' }],
    [{ method: 'PUT', body: '[1]' }],
    [{ method: 'PATCH', body: '{"a":1}' }],
    [{ method: 'DELETE', path: '/a/{{vars.x}}{{vars.y}}' }],
    [
      {
        headers: [
          { name: 'X-Shop', value: 'v' },
          { name: 'Accept', value: 'text/plain' },
        ],
      },
    ],
  ])('may ask %j', async (request) => {
    expect((await save(request)).status).toBe(200)
  })

  test.each([10, 11])(
    'may have 10 query parameters, headers and kept values, not 11 (%i)',
    async (count) => {
      const list = Array.from({ length: count }, (__, place) => ({ name: `N${place}`, value: 'v' }))
      const keep = list.map(({ name }) => ({ name, path: name }))
      const answers = [
        await save({ query: list }),
        await save({ headers: list }),
        await save({}, keep),
      ]
      expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(count === 10 ? 200 : 422))
    },
  )

  test('is refused when it keeps a value as http_status, or by a path that cannot be read', async () => {
    const answer = await save({}, [
      { name: 'http_status', path: 'a' },
      { name: 'b', path: 'a b' },
    ])
    expect(fieldsOf(answer)).toEqual([
      'steps.call.keep[0].name: kept_name_reserved',
      'steps.call.keep[1].path: path_space',
    ])
  })

  test('is refused with a connection of another company', async () => {
    const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
    const id = world.service.context.ids.uuid()
    await connectApi(world, { id, companyId: other.companyId, baseUrl: api.baseUrl })
    const answer = await save({ connectionId: id })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual(['steps.call.request.connectionId: unknown_connection'])
  })

  test('keeps its connection from being deleted, whatever the case its id was written in', async () => {
    expect((await save({ connectionId: connectionId.toUpperCase() })).status).toBe(200)
    const connection = `/companies/${shop.companyId}/connections/${connectionId}`
    const answer = await owner.ask('DELETE', connection)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('The test of a step’s call', () => {
  const testStep = (vars: object = { order: '77' }, member = owner, stepId = 'call') =>
    member.ask<TestedCall>('POST', `${flow()}/steps/${stepId}/test`, { vars })

  test('sends the request once with the sample values and shows it without the credential', async () => {
    world.clock.advance(MINUTE_MS)
    await save({ method: 'POST', body: '{"note":"{{vars.order}}"}' }, [
      { name: 'status', path: 'order.status' },
      { name: 'echo', path: 'echo' },
    ])
    api.requests.length = 0
    api.reply(json(200, { order: { status: 'shipped' }, echo: API_TOKEN }))
    const { status, body } = await testStep()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      outcome: 'success',
      isMade: true,
      httpStatus: 200,
      failure: null,
      sent: { method: 'POST', url: `${api.baseUrl}/orders/77`, body: '{"note":"77"}' },
      kept: { status: 'shipped' },
    })
    expect(api.requests).toMatchObject([
      { url: '/api/orders/77', headers: { authorization: `Bearer ${API_TOKEN}` } },
    ])
    expect(JSON.stringify([body, world.logged])).not.toContain(API_TOKEN)
    // No run, and one call of the day.
    const runs = await world.database.db.pool.query('select from flow_run')
    expect(runs.rowCount).toBe(0)
  })

  test('is not repeated, and an empty path value is told instead of called', async () => {
    world.clock.advance(MINUTE_MS)
    await save()
    api.requests.length = 0
    api.reply(json(503))
    expect((await testStep()).body).toMatchObject({ outcome: 'failed', httpStatus: 503 })
    expect(api.requests).toHaveLength(1)
    expect((await testStep({})).body).toMatchObject({
      outcome: 'failed',
      isMade: false,
      failure: 'path_value_refused',
      sent: null,
      kept: {},
    })
    expect(api.requests).toHaveLength(1)
  })

  systemTest('is made at most 10 times a minute in an account', async () => {
    world.clock.advance(MINUTE_MS)
    api.reply(json(200))
    for (let made = 0; made < CALL_LIMITS.testsPerMinute; made += 1) {
      expect((await testStep()).status).toBe(200)
    }
    const refused = await testStep()
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    world.clock.advance(MINUTE_MS)
    expect((await testStep()).status).toBe(200)
  })

  test('is for Owners and Admins on Business, of steps that call', async () => {
    world.clock.advance(MINUTE_MS)
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await testStep({}, agent)).status).toBe(403)
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    expect((await testStep({}, admin)).status).toBe(200)
    for (const stepId of ['tell', 'gone', '__proto__']) {
      expect((await testStep({}, owner, stepId)).status).toBe(404)
    }
    const account = world.database.db.kysely.updateTable('account').where('id', '=', shop.accountId)
    await account.set({ plan: 'pro' }).execute()
    expect(await testStep()).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
    await account.set({ plan: 'business' }).execute()
  })
})
