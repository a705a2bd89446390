/** A connection in use, its test, and the log of the calls that went through it. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { CallView } from '../../src/contract/dashboard/call.ts'
import type {
  ConnectionFigures,
  ConnectionUsers,
  ConnectionView,
  TestedConnection,
} from '../../src/contract/dashboard/connection.ts'
import type { List, Page } from '../../src/contract/dashboard/page.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { refusalsOf, signedIn, type Member } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import {
  addAction,
  addCalls,
  callsByDay,
  callsOf,
  deleteConnection,
  setCallsToday,
  setDuration,
} from '../support/records/calls.ts'
import { addDrafts } from '../support/records/flows.ts'
import { textOfSecrets } from '../support/records/erasing.ts'
import { holdLock } from '../support/records/locks.ts'
import { callStep, json, startShopApi } from '../support/shop-api.ts'
import { orderDraft, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const SECRET = 'sk_live_never_shown_1234'

let shop: Shop
let owner: Member
const world = await openWorld()
const api = await startShopApi(world)
afterAll(() => api.close())
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
})

const company = () => `/companies/${shop.companyId}`
const path = () => `${company()}/connections`
const made = async (input: object = {}) => {
  const usual = { name: 'Shop system', baseUrl: api.baseUrl }
  return (await owner.ask<ConnectionView>('POST', path(), { ...usual, ...input })).body
}
const remove = (id: string) => owner.ask('DELETE', `${path()}/${id}`)
const tried = (id: string, input: object = {}) =>
  owner.ask<TestedConnection>('POST', `${path()}/${id}/test`, input)

/** Saves an AI action that asks by GET: a failed call is made once more. */
const saveAction = (connectionId: string, request = { path: '/' }) =>
  owner.ask<ActionView>('POST', `${company()}/actions`, {
    toolName: 'order_status',
    description: 'Looks an order up.',
    request: { connectionId, method: 'GET', query: [], headers: [], body: null, ...request },
    parameters: [],
  })

const flow = () => `${company()}/flows/${shop.flowId}`
/** Draws the shop's flow, with a call before its template where a connection is given. */
async function draw(connectionId?: string) {
  const call = connectionId && {
    call: callStep(connectionId, { path: '/' }, { next: 'tell', onFailure: null }),
  }
  const drawn = { start: call ? 'call' : 'tell', steps: { ...call, ...ORDER_READY_STEPS } }
  const { status } = await owner.ask('PUT', `${flow()}/draft`, orderDraft(shop, drawn))
  expect(status).toBe(200)
}

describe('A connection cannot be deleted while it is in use', () => {
  const publish = async () =>
    expect((await owner.ask('POST', `${flow()}/publish`)).status).toBe(200)
  const users = async () => (await owner.ask('GET', `${company()}/connection-users`)).body
  const usedBy = (connectionId: string, isPublished: boolean) => ({
    items: [
      {
        connectionId,
        flows: [{ id: shop.flowId, name: 'Order is ready', isPublished }],
        actions: [],
      },
    ],
  })

  test('by a step of a draft or of the published version, but by no step of an earlier version', async () => {
    const { id } = await made()
    await draw(id)
    expect(await users()).toEqual(usedBy(id, false))
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('the flow "Order is ready"') },
    })
    await publish()
    await draw()
    expect(await users()).toEqual(usedBy(id, true))
    expect((await remove(id)).status).toBe(409)
    await publish()
    expect(await users()).toEqual({ items: [] })
    expect((await remove(id)).status).toBe(204)
  })

  test('except by a deleted flow, which no longer uses it', async () => {
    const { id } = await made()
    await draw(id)
    await publish()
    await draw(id)
    expect(await users()).toEqual(usedBy(id, true))
    expect((await owner.ask('DELETE', flow())).status).toBe(204)
    expect(await users()).toEqual({ items: [] })
    expect((await remove(id)).status).toBe(204)
  })

  test('by a flow, and the list of users names each, however many there are', async () => {
    const { id } = await made()
    await draw(id)
    await addDrafts(world, shop, { count: 501, definition: { steps: { connectionId: id } } })
    const [{ flows }] = (
      await owner.ask<List<ConnectionUsers>>('GET', `${company()}/connection-users`)
    ).body.items as [ConnectionUsers]
    expect(flows).toHaveLength(502)
    expect((await remove(id)).status).toBe(409)
  })

  test('by an AI action', async () => {
    const { id } = await made()
    await saveAction(id)
    const action = { id: expect.any(String), toolName: 'order_status', isOn: true }
    expect(await users()).toEqual({ items: [{ connectionId: id, flows: [], actions: [action] }] })
    expect((await remove(id)).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('the AI action "order_status"'),
    })
  })

  test('while an AI action with it is being saved; and none is saved with one that is being deleted', async () => {
    const { id } = await made()
    const saving = await holdLock(world, 'the connections to APIs')
    await addAction(saving.inside, shop, { connectionId: id })
    const removed = remove(id)
    await saving.blocks('the deletion waits')
    await saving.release()
    expect((await removed).status).toBe(409)

    const other = (await made()).id
    const deleting = await holdLock(world, 'nothing')
    await deleteConnection(deleting.inside, { connectionId: other })
    const saved = saveAction(other)
    await deleting.blocks('the action waits')
    await deleting.release()
    expect(refusalsOf(await saved)).toEqual(['request.connectionId: unknown_connection'])
  })
})

describe('A test of a connection', () => {
  test('sends a real request, also when it is off, and shows it with the credential masked', async () => {
    const { id } = await made({
      auth: { kind: 'query', name: 'key', key: SECRET },
      headers: [{ name: 'X-Shop', value: 'riyadh' }],
      isOn: false,
    })
    api.reply(json(200, { echo: SECRET, order: 'شحن' }))
    const { body } = await tried(id, { path: '/health' })
    expect(api.requests.at(-1)).toMatchObject({ method: 'GET', url: `/api/health?key=${SECRET}` })
    expect(body).toEqual({
      outcome: 'success',
      httpStatus: 200,
      failure: null,
      detail: null,
      sent: {
        method: 'GET',
        url: `${api.baseUrl}/health?key=••••`,
        headers: [
          { name: 'User-Agent', value: 'Service-Automations/1.0' },
          { name: 'Accept', value: 'application/json' },
          { name: 'Accept-Encoding', value: 'gzip, deflate, br' },
          { name: 'X-Shop', value: 'riyadh' },
        ],
        body: null,
        isCredentialSent: true,
      },
      answer: '{"echo":"[removed]","order":"شحن"}',
      answerChars: 34,
      attempts: 1,
      durationMs: expect.any(Number),
    })
    expect((await textOfSecrets(world)) + world.logged.join('')).not.toContain(SECRET)
  })

  test.each([
    [{ kind: 'bearer', token: SECRET }, 'Authorization: Bearer ••••'],
    [{ kind: 'basic', username: 'shop', password: SECRET }, 'Authorization: Basic ••••'],
    [{ kind: 'header', name: 'X-Api-Key', key: SECRET }, 'X-Api-Key: ••••'],
    [
      { kind: 'header', name: 'Authorization', key: `Bearer ${SECRET}` },
      'Authorization: Bearer ••••',
    ],
    [{ kind: 'none' }, null],
  ])('shows that a credential was sent, and nothing of it: %j', async (auth, line) => {
    const { id } = await made({ auth })
    api.reply(json(200))
    const { body } = await tried(id)
    const lines = body.sent!.headers.map(({ name, value }) => `${name}: ${value}`)
    expect(lines.filter((one) => one.includes('••••'))).toEqual(line === null ? [] : [line])
    expect(body.sent!.isCredentialSent).toBe(line !== null)
    expect(JSON.stringify(body)).not.toContain(SECRET.slice(-8))
  })

  test('refuses a path that cannot be called', async () => {
    const { id } = await made()
    for (const bad of ['health', '/a/../b', '/a?b=1', '/{{vars.x}}']) {
      expect(await tried(id, { path: bad })).toMatchObject({ status: 422 })
    }
  })

  test('is one request and one call of the day, and returns the answer of the server', async () => {
    const { id } = await made()
    api.reply(json(503, { error: 'later' }))
    const before = api.requests.length
    expect((await tried(id)).body).toMatchObject({
      outcome: 'failed',
      httpStatus: 503,
      failure: 'http_error',
      answer: '{"error":"later"}',
      attempts: 1,
    })
    expect(api.requests.length - before).toBe(1)
    expect(await callsByDay(world, shop)).toEqual([1])
  })

  systemTest('shares a limit of 10 a minute with the tests of actions and steps', async () => {
    const { id } = await made()
    const { body: action } = await saveAction(id)
    await draw(id)
    api.reply(json(200))
    const tests = [
      () => owner.ask('POST', `${path()}/${id}/test`, {}),
      () => owner.ask('POST', `${company()}/actions/${action.id}/test`, { args: {} }),
      () => owner.ask('POST', `${flow()}/steps/call/test`, { vars: {} }),
    ]
    for (let count = 0; count < CALL_LIMITS.testsPerMinute; count += 1) {
      expect((await tests[count % tests.length]!()).status).toBe(200)
    }
    for (const tryOne of tests) {
      const refused = await tryOne()
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    world.clock.advance(MINUTE_MS)
    for (const tryOne of tests) expect((await tryOne()).status).toBe(200)
  })

  test('is refused when the calls of the day are used up, until the next day (UTC)', async () => {
    const { id } = await made()
    await setCallsToday(world, shop, CALL_LIMITS.perAccountPerDay)
    expect(await tried(id)).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    world.clock.advance(DAY_MS)
    owner = await signedIn(world, shop)
    expect((await tried(id)).status).toBe(200)
  })
})

describe('The log of calls', () => {
  const tryAction = async (connectionId: string, request = { path: '/' }) => {
    const { id } = (await saveAction(connectionId, request)).body
    await owner.ask('POST', `${company()}/actions/${id}/test`, { args: {} })
  }

  systemTest('shows each attempt, by connection, source, outcome, status and time', async () => {
    const [one, other] = [await made({ name: 'One' }), await made({ name: 'Other' })]
    const from = world.clock.now().toISOString()
    api.reply(json(200))
    await tried(one.id, { path: '/a b' })
    world.clock.advance(1_000)
    api.reply(json(503))
    await tryAction(other.id, { path: '/c' })
    const calls = async (query = '') =>
      (await owner.ask<Page<CallView>>('GET', `${company()}/calls${query}`)).body
    const all = await calls()
    expect(all.items).toEqual([
      {
        id: expect.any(String),
        connection: { id: other.id, name: 'Other', isDeleted: false },
        source: { kind: 'test', personId: owner.personId },
        method: 'GET',
        host: new URL(api.baseUrl).host,
        path: '/api/c',
        isRepeat: true,
        httpStatus: 503,
        failure: 'http_error',
        durationMs: expect.any(Number),
        startedAt: world.clock.now().toISOString(),
      },
      expect.objectContaining({ path: '/api/c', isRepeat: false }),
      expect.objectContaining({ path: '/api/a%20b', isRepeat: false, failure: null }),
    ])
    const paths = async (query: string) => (await calls(query)).items.map((call) => call.path)
    expect(await paths(`?connectionId=${one.id}`)).toEqual(['/api/a%20b'])
    expect(await paths('?source=step')).toEqual([])
    expect(await paths('?source=test&outcome=success')).toEqual(['/api/a%20b'])
    expect(await paths('?outcome=failed')).toEqual(['/api/c', '/api/c'])
    expect(await paths('?status=503&limit=1')).toEqual(['/api/c'])
    const to = world.clock.now().toISOString()
    expect(await paths(`?from=${from}&to=${to}`)).toEqual(['/api/a%20b'])
    const first = await calls('?limit=2')
    expect(await paths(`?cursor=${first.nextCursor}`)).toEqual(['/api/a%20b'])
    await remove(one.id)
    expect((await calls(`?connectionId=${one.id}`)).items[0]!.connection.isDeleted).toBe(true)
  })

  test('is summed up by connection, without tests: calls and failures in 24 hours, and their duration', async () => {
    const [one, other] = [await made({ name: 'Old' }), await made({ name: 'New' })]
    api.reply(json(200))
    await tried(one.id)
    world.clock.advance(DAY_MS + 1)
    // The session has expired meanwhile.
    owner = await signedIn(world, shop)
    api.reply(json(503))
    // Tests do not count, and a repeated call counts once, by its last attempt.
    await tried(one.id)
    await tryAction(other.id)
    const [failed, good] = [
      { error: 'http_error', status: 503 },
      { error: null, status: 200 },
    ]
    const of = { ...shop, connectionId: other.id }
    await addCalls(world, of, failed, { ...failed, isRepeat: true })
    await addCalls(world, of, failed, { ...good, isRepeat: true }, good)
    await setDuration(world, { connectionId: other.id }, false, 100)
    await setDuration(world, { connectionId: other.id }, true, 900)
    // The first attempt of this call is older than 24 hours.
    const late = await made({ name: 'Late' })
    await addCalls(world, { ...shop, connectionId: late.id }, { ...good, isRepeat: true })
    const { body } = await owner.ask<{ items: ConnectionFigures[] }>(
      'GET',
      `${company()}/connection-figures`,
    )
    expect(body.items).toContainEqual({ connectionId: one.id, calls: 0, failed: 0, p95Ms: null })
    expect(body.items).toContainEqual({ connectionId: other.id, calls: 3, failed: 1, p95Ms: 900 })
    expect(body.items).toContainEqual(
      expect.objectContaining({ connectionId: late.id, calls: 0, failed: 0 }),
    )
  })

  systemTest('is kept for 14 days, and the count of a day for 30', async () => {
    await tried((await made()).id)
    await world.service.processAll()
    const kept = async () => [
      (await callsOf(world, shop)).length,
      (await callsByDay(world, shop)).length,
    ]
    world.clock.advance(14 * DAY_MS - MINUTE_MS)
    await world.service.sweep()
    expect(await kept()).toEqual([1, 1])
    world.clock.advance(DAY_MS)
    await world.service.sweep()
    expect(await kept()).toEqual([0, 1])
    world.clock.advance(17 * DAY_MS)
    await world.service.sweep()
    expect(await kept()).toEqual([0, 0])
  })
})
