import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallView } from '../../src/contract/dashboard/call.ts'
import type {
  ConnectionFigures,
  ConnectionView,
  TestedConnection,
} from '../../src/contract/dashboard/connection.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { DAY_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const SECRET = 'sk_live_never_shown_1234'

let world: World
let shop: Shop
let owner: Member
let api: ShopApi
beforeAll(async () => {
  world = await createWorld()
  api = await startShopApi(world)
})
afterAll(async () => {
  await api.close()
  await world.close()
})
let shops = 0
beforeEach(async () => {
  const number = String(++shops)
  shop = await createShop(world, { phoneNumberId: number, businessAccountId: number })
  owner = await signedIn(world, { accountId: shop.accountId })
})

const path = (companyId = shop.companyId) => `/companies/${companyId}/connections`
const create = (input: object = {}) =>
  owner.ask<ConnectionView>('POST', path(), { name: 'Shop system', baseUrl: api.baseUrl, ...input })
const made = async (input: object = {}) => (await create(input)).body
const everythingStored = async () => {
  const tables = ['api_connection', 'audit', 'call_log']
  const rows = await Promise.all(
    tables.map((table) => world.database.db.pool.query(`select * from ${table}`)),
  )
  return JSON.stringify([rows.map(({ rows: found }) => found), world.logged])
}

describe('A connection in use cannot be deleted', () => {
  test('by a step of a draft, or of the published version', async () => {
    const { id } = await made()
    const useIn = (publishedAt: Date | null, number: number) =>
      world.database.db.kysely
        .insertInto('flowVersion')
        .values({
          id: world.service.context.ids.uuid(),
          companyId: shop.companyId,
          flowId: shop.flowId,
          number,
          definition: JSON.stringify({ steps: { call: { request: { connectionId: id } } } }),
          triggerKind: 'webhook',
          publishedAt,
          createdAt: world.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const remove = () => owner.ask('DELETE', `${path()}/${id}`)
    const draft = await useIn(null, 7)
    expect(await remove()).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('the flow "Order is ready"') },
    })
    await world.database.db.kysely.deleteFrom('flowVersion').where('id', '=', draft.id).execute()
    const published = await useIn(world.clock.now(), 8)
    const publish = (publishedVersionId: string) =>
      world.database.db.kysely
        .updateTable('flow')
        .set({ publishedVersionId })
        .where('id', '=', shop.flowId)
        .execute()
    await publish(published.id)
    expect((await remove()).status).toBe(409)
    // An earlier version is nobody's way any more.
    await publish(shop.versionId)
    expect((await remove()).status).toBe(204)
  })

  test('a flow that was deleted holds none, and is told among nobody’s users', async () => {
    const { id } = await made()
    const { kysely } = world.database.db
    const version = (number: number, publishedAt: Date | null) => ({
      id: world.service.context.ids.uuid(),
      companyId: shop.companyId,
      flowId: shop.flowId,
      number,
      definition: JSON.stringify({ steps: { call: { request: { connectionId: id } } } }),
      triggerKind: 'webhook',
      publishedAt,
      createdAt: world.clock.now(),
    })
    const published = version(7, world.clock.now())
    await kysely
      .insertInto('flowVersion')
      .values([published, version(8, null)])
      .execute()
    const set = (columns: { publishedVersionId?: string; deletedAt?: Date }) =>
      kysely.updateTable('flow').set(columns).where('id', '=', shop.flowId).execute()
    const users = async () =>
      (await owner.ask('GET', `/companies/${shop.companyId}/connection-users`)).body
    const used = (isPublished: boolean) => ({
      items: [
        {
          connectionId: id,
          flows: [{ id: shop.flowId, name: 'Order is ready', isPublished }],
          actions: [],
        },
      ],
    })
    expect(await users()).toEqual(used(false))
    await set({ publishedVersionId: published.id })
    expect(await users()).toEqual(used(true))
    await set({ deletedAt: world.clock.now() })
    expect(await users()).toEqual({ items: [] })
    expect((await owner.ask('DELETE', `${path()}/${id}`)).status).toBe(204)
  })

  test('while an AI action with it is being saved; and none is saved with one that is being deleted', async () => {
    const { id } = await made()
    const { ids } = world.service.context
    const action = {
      toolName: 'order_status',
      description: 'Looks an order up.',
      request: { connectionId: id, method: 'GET', path: '/', query: [], headers: [], body: null },
      parameters: [],
    }
    const client = await world.database.db.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from api_connection where id = $1 for share', [id])
      await client.query(
        `insert into ai_action (id, company_id, connection_id, tool_name, definition,
          needs_confirmation, is_on, created_at, updated_at)
        values ($1, $2, $3, 'saved', '{}', true, true, now(), now())`,
        [ids.uuid(), shop.companyId, id],
      )
      const removed = owner.ask('DELETE', `${path()}/${id}`)
      await waitUntilBlocked('the deletion waits', world.database.db.pool, client)
      await client.query('commit')
      expect((await removed).status).toBe(409)

      await client.query('begin')
      await client.query('delete from ai_action where connection_id = $1', [id])
      await client.query(
        'update api_connection set deleted_at = now(), is_on = false where id = $1',
        [id],
      )
      const saved = owner.ask('POST', `/companies/${shop.companyId}/actions`, action)
      await waitUntilBlocked('the action waits', world.database.db.pool, client)
      await client.query('commit')
      expect((await saved).body.errors).toMatchObject([
        { field: 'request.connectionId', code: 'unknown_connection' },
      ])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('by an AI action', async () => {
    const { id } = await made()
    await world.database.db.kysely
      .insertInto('aiAction')
      .values({
        id: world.service.context.ids.uuid(),
        companyId: shop.companyId,
        connectionId: id,
        toolName: 'order_status',
        definition: '{}',
        needsConfirmation: true,
        isOn: true,
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
      })
      .execute()
    expect((await owner.ask('DELETE', `${path()}/${id}`)).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('the AI action "order_status"'),
    })
  })
})

describe('A test of a connection', () => {
  const test1 = (id: string, input: object = {}) =>
    owner.ask<TestedConnection>('POST', `${path()}/${id}/test`, input)

  test('sends a real request, also when it is off, and shows it without the credential', async () => {
    const { id } = await made({
      auth: { kind: 'query', name: 'key', key: SECRET },
      headers: [{ name: 'X-Shop', value: 'riyadh' }],
      isOn: false,
    })
    api.reply(json(200, { echo: SECRET, order: 'شحن' }))
    const tested = await test1(id, { path: '/health' })
    expect(api.requests.at(-1)).toMatchObject({ method: 'GET', url: `/api/health?key=${SECRET}` })
    expect(tested.body).toEqual({
      outcome: 'success',
      httpStatus: 200,
      failure: null,
      detail: null,
      sent: {
        method: 'GET',
        url: `${api.baseUrl}/health`,
        headers: [
          { name: 'User-Agent', value: 'Service-Automations/1.0' },
          { name: 'Accept', value: 'application/json' },
          { name: 'Accept-Encoding', value: 'gzip, deflate, br' },
          { name: 'X-Shop', value: 'riyadh' },
        ],
        body: null,
      },
      answer: '{"echo":"[removed]","order":"شحن"}',
      attempts: 1,
      durationMs: expect.any(Number),
    })
    expect(await everythingStored()).not.toContain(SECRET)
  })

  test('tells what went wrong, and refuses a path that cannot be called', async () => {
    const { id } = await made()
    api.reply(json(404, { error: 'none' }))
    expect((await test1(id)).body).toMatchObject({
      outcome: 'failed',
      httpStatus: 404,
      failure: 'http_error',
      answer: '{"error":"none"}',
    })
    for (const bad of ['health', '/a/../b', '/a?b=1', '/{{vars.x}}']) {
      expect(await test1(id, { path: bad })).toMatchObject({ status: 422 })
    }
  })

  test('is one request and one call of the day, whatever the server answers', async () => {
    const { id } = await made()
    api.reply(json(503, { error: 'later' }))
    const before = api.requests.length
    expect((await test1(id)).body).toMatchObject({
      outcome: 'failed',
      httpStatus: 503,
      answer: '{"error":"later"}',
      attempts: 1,
    })
    expect(api.requests.length - before).toBe(1)
    const { rows } = await world.database.db.pool.query<{ made: number }>(
      'select made from call_day where account_id = $1',
      [shop.accountId],
    )
    expect(rows).toEqual([{ made: 1 }])
  })

  systemTest('is made at most 10 times a minute per account', async () => {
    const { id } = await made()
    api.reply(json(200))
    for (let count = 0; count < CALL_LIMITS.testsPerMinute; count++) {
      expect((await test1(id)).status).toBe(200)
    }
    const refused = await test1(id)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    world.clock.advance(MINUTE_MS)
    expect((await test1(id)).status).toBe(200)
  })

  test('is refused when the calls of the day are used up, until the next day (UTC)', async () => {
    const { id } = await made()
    await world.database.db.kysely
      .insertInto('callDay')
      .values({
        accountId: shop.accountId,
        day: world.clock.now(),
        made: CALL_LIMITS.perAccountPerDay,
      })
      .execute()
    expect(await test1(id)).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    world.clock.advance(DAY_MS)
    owner = await signedIn(world, { accountId: shop.accountId })
    expect((await test1(id)).status).toBe(200)
  })
})

describe('The log of calls', () => {
  /** Tries an AI action that asks by GET: as in a reply, one that fails is made once more. */
  const tryAction = async (connectionId: string, request = { path: '/' }) => {
    const actions = `/companies/${shop.companyId}/actions`
    const { body } = await owner.ask<{ id: string }>('POST', actions, {
      toolName: 'order_status',
      description: 'Looks an order up.',
      request: { connectionId, method: 'GET', query: [], headers: [], body: null, ...request },
      parameters: [],
    })
    await owner.ask('POST', `${actions}/${body.id}/test`, { args: {} })
  }

  test('shows each attempt, and is searched by connection, source, outcome, status and time', async () => {
    const [one, other] = [await made({ name: 'One' }), await made({ name: 'Other' })]
    const from = world.clock.now().toISOString()
    api.reply(json(200))
    await owner.ask('POST', `${path()}/${one.id}/test`, { path: '/a b' })
    world.clock.advance(1_000)
    api.reply(json(503))
    await tryAction(other.id, { path: '/c' })
    const calls = async (query = '') =>
      (await owner.ask<Page<CallView>>('GET', `/companies/${shop.companyId}/calls${query}`)).body
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
    await owner.ask('DELETE', `${path()}/${one.id}`)
    expect((await calls(`?connectionId=${one.id}`)).items[0]!.connection.isDeleted).toBe(true)
  })

  test('is summed up by connection: how many in 24 hours, how many failed, how long most took', async () => {
    const [one, other] = [await made({ name: 'Old' }), await made({ name: 'New' })]
    api.reply(json(200))
    await owner.ask('POST', `${path()}/${one.id}/test`, {})
    world.clock.advance(DAY_MS + 1)
    // The session has ended meanwhile.
    owner = await signedIn(world, { accountId: shop.accountId })
    api.reply(json(503))
    await tryAction(other.id)
    await world.service.context.db.kysely
      .updateTable('callLog')
      .set((row) => ({
        durationMs: row.case().when('isRepeat', '=', true).then(900).else(100).end(),
      }))
      .where('connectionId', '=', other.id)
      .execute()
    const figures = await owner.ask<{ items: ConnectionFigures[] }>(
      'GET',
      `/companies/${shop.companyId}/connection-figures`,
    )
    const of = (id: string) => figures.body.items.find(({ connectionId }) => connectionId === id)
    expect(of(one.id)).toEqual({ connectionId: one.id, calls: 0, failed: 0, p95Ms: null })
    expect(of(other.id)).toEqual({ connectionId: other.id, calls: 2, failed: 2, p95Ms: 900 })
  })

  systemTest('is kept for 14 days, and the count of a day for 30', async () => {
    const { id } = await made()
    await owner.ask('POST', `${path()}/${id}/test`, {})
    await world.service.processAll()
    const kept = async () =>
      (
        await world.database.db.pool.query('select from call_log where company_id = $1', [
          shop.companyId,
        ])
      ).rowCount
    const days = async () =>
      (
        await world.database.db.pool.query('select from call_day where account_id = $1', [
          shop.accountId,
        ])
      ).rowCount
    world.clock.advance(14 * DAY_MS - MINUTE_MS)
    await world.service.sweep()
    expect([await kept(), await days()]).not.toContain(0)
    world.clock.advance(DAY_MS)
    await world.service.sweep()
    expect([await kept(), await days()]).toEqual([0, 1])
    world.clock.advance(17 * DAY_MS)
    await world.service.sweep()
    expect(await days()).toBe(0)
  })
})
