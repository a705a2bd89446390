import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type {
  HookShape,
  HookUrlView,
  NewHookUrl,
  Tried,
} from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HOOK_LIMITS } from '../../src/limits/hooks.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
let hookUrlId: string
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  const { body } = await owner.ask<Page<HookUrlView>>('GET', hookUrls())
  hookUrlId = body.items[0]!.id
})
afterAll(() => world.close())

const hookUrls = (companyId = shop.companyId) => `/companies/${companyId}/hook-urls`

async function newFlow(member = owner, companyId = shop.companyId): Promise<string> {
  const path = `/companies/${companyId}/flows`
  return (await member.ask<FlowDetail>('POST', path, { name: 'Flow' })).body.id
}

const setPlan = (plan: string) =>
  world.database.db.kysely
    .updateTable('account')
    .set({ plan })
    .where('id', '=', shop.accountId)
    .execute()

describe('A hook URL', () => {
  test('is shown once, with its token; later only the token’s last four characters', async () => {
    const flowId = await newFlow()
    const made = await owner.ask<NewHookUrl>('POST', hookUrls(), { flowId })
    expect(made.status).toBe(201)
    const token = made.body.url.slice(`${world.url}/hooks/`.length)
    expect(made.body.url).toBe(`${world.url}/hooks/${token}`)
    expect(token).toMatch(/^hook_[A-Za-z0-9_-]{43}$/)
    expect(made.body.hookUrl).toMatchObject({
      flow: { id: flowId, name: 'Flow' },
      tokenLastFour: token.slice(-4),
      replacedAt: null,
    })
    const shown = await owner.ask<HookUrlView>('GET', `${hookUrls()}/${made.body.hookUrl.id}`)
    expect(shown.body).toEqual(made.body.hookUrl)
    // Not published yet, but the token is known.
    expect((await askHook(made.body.url)).status).toBe('flow_off')
    const stored = await world.database.db.pool.query(`select * from hook_url where id = $1`, [
      made.body.hookUrl.id,
    ])
    expect(JSON.stringify([stored.rows, world.logged])).not.toContain(token)
    const again = await owner.ask('POST', hookUrls(), { flowId })
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('that is replaced invalidates the old one at once and keeps the flow’s keys', async () => {
    const key = { 'idempotency-key': 'order-77' }
    const first = await askHook(shop.hookUrl, undefined, key)
    expect(first.status).toBe('accepted')
    const replaced = await owner.ask<NewHookUrl>('POST', `${hookUrls()}/${hookUrlId}/replace`)
    expect(replaced.body.hookUrl.replacedAt).toBe(world.clock.now().toISOString())
    await expect.poll(async () => (await askHook(shop.hookUrl, undefined, key)).http).toBe(404)
    const again = await askHook(replaced.body.url, undefined, key)
    expect(again).toMatchObject({ http: 200, status: 'duplicate', id: first.id })
    shop.hookUrl = replaced.body.url
  })

  test('that is deleted answers 404', async () => {
    const made = await owner.ask<NewHookUrl>('POST', hookUrls(), { flowId: await newFlow() })
    const path = `${hookUrls()}/${made.body.hookUrl.id}`
    expect((await owner.ask('DELETE', path)).status).toBe(204)
    await expect.poll(async () => (await askHook(made.body.url)).http).toBe(404)
    expect((await owner.ask('DELETE', path)).status).toBe(404)
  })

  systemTest('is one of at most 20 per account, also when two are made at once', async () => {
    const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
    const admin = await signedIn(world, { accountId: other.accountId, role: 'admin' })
    const path = hookUrls(other.companyId)
    const make = async (flowId: string) => (await admin.ask('POST', path, { flowId })).status
    for (let made = 1; made < HOOK_LIMITS.urlsPerCompany - 1; made += 1) {
      expect(await make(await newFlow(admin, other.companyId))).toBe(201)
    }
    const flowIds = [
      await newFlow(admin, other.companyId),
      await newFlow(admin, other.companyId),
      await newFlow(admin, other.companyId),
    ]
    const statuses = await Promise.all(flowIds.map(make))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const refused = await admin.ask('POST', path, { flowId: await newFlow(admin, other.companyId) })
    expect(refused.body.code).toBe('limit_reached')
    const { body } = await admin.ask<Page<HookUrlView>>('GET', path)
    expect(body.items).toHaveLength(HOOK_LIMITS.urlsPerCompany)
    // In pages, the oldest first.
    const oldestFirst = body.items.map(({ id }) => id)
    expect(oldestFirst).toEqual(oldestFirst.toSorted())
    const page = async (query: string) =>
      (await admin.ask<Page<HookUrlView>>('GET', `${path}?limit=2${query}`)).body
    const first = await page('')
    const next = await page(`&cursor=${first.nextCursor}`)
    expect([...first.items, ...next.items].map(({ id }) => id)).toEqual(oldestFirst.slice(0, 4))
  })

  test('is made on the Business plan only; after leaving it, it can be replaced and deleted', async () => {
    const [flowId, later] = [await newFlow(), await newFlow()]
    const made = await owner.ask<NewHookUrl>('POST', hookUrls(), { flowId })
    await setPlan('pro')
    try {
      const refused = await owner.ask('POST', hookUrls(), { flowId: later })
      expect(refused).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
      const path = `${hookUrls()}/${made.body.hookUrl.id}`
      expect((await owner.ask('POST', `${path}/replace`)).status).toBe(200)
      expect((await owner.ask('DELETE', path)).status).toBe(204)
    } finally {
      await setPlan('business')
    }
  })

  test('is made and replaced only by who entered the password lately', async () => {
    const member = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    world.clock.advance(16 * 60_000)
    for (const [path, json] of [
      [hookUrls(), { flowId: shop.flowId }],
      [`${hookUrls()}/${hookUrlId}/replace`, undefined],
    ] as const) {
      expect((await member.ask('POST', path, json)).body.code).toBe('password_needed')
    }
    owner = await signedIn(world, { accountId: shop.accountId })
  })

  test('of another company is not found', async () => {
    const stranger = await createShop(world, { phoneNumberId: '3', businessAccountId: '3' })
    const member = await signedIn(world, { accountId: stranger.accountId })
    const base = `${hookUrls(stranger.companyId)}/${hookUrlId}`
    for (const [method, path] of [
      ['GET', base],
      ['DELETE', base],
      ['POST', `${base}/replace`],
      ['GET', `${base}/shape`],
    ] as const) {
      expect((await member.ask(method, path)).status).toBe(404)
    }
    const made = await member.ask('POST', hookUrls(stranger.companyId), { flowId: shop.flowId })
    expect(made.status).toBe(404)
  })

  test('leaves each change in the audit log, without the token', async () => {
    const rows = await world.database.db.kysely
      .selectFrom('audit')
      .select(['action', 'detail', 'companyId'])
      .where('subjectKind', '=', 'hook_url')
      .where('companyId', '=', shop.companyId)
      .execute()
    expect(new Set(rows.map((row) => row.action))).toEqual(
      new Set(['hook_url.created', 'hook_url.replaced', 'hook_url.deleted']),
    )
    expect(JSON.stringify(rows)).not.toMatch(/hook_[A-Za-z0-9_-]{37}/)
  })
})

describe('The kept shape', () => {
  const shapeOf = async () =>
    (await owner.ask<{ shape: HookShape | null }>('GET', `${hookUrls()}/${hookUrlId}/shape`)).body
      .shape

  async function keep(receivedAt: Date): Promise<void> {
    await world.database.db.kysely.deleteFrom('hookShape').execute()
    await world.database.db.kysely
      .insertInto('hookShape')
      .values({
        hookUrlId,
        companyId: shop.companyId,
        body: '{"order":{"id":12345678901234567890}}',
        answerStatus: 'invalid_phone',
        receivedAt,
      })
      .execute()
  }

  test('is null while no JSON body has come', async () => {
    await world.database.db.kysely.deleteFrom('hookShape').execute()
    expect(await shapeOf()).toBeNull()
  })

  test('is the last body as it was sent, its answer and its time', async () => {
    await keep(world.clock.now())
    expect(await shapeOf()).toEqual({
      body: '{"order":{"id":12345678901234567890}}',
      answerStatus: 'invalid_phone',
      stoppedAtCheck: 11,
      receivedAt: world.clock.now().toISOString(),
    })
  })

  test('is shown for 30 days', async () => {
    await keep(new Date(world.clock.now().getTime() - 30 * DAY_MS + 1))
    expect(await shapeOf()).not.toBeNull()
    await keep(new Date(world.clock.now().getTime() - 30 * DAY_MS))
    expect(await shapeOf()).toBeNull()
  })
})

describe('A tester', () => {
  const testers = () => `/companies/${shop.companyId}/testers`
  const json = '{"order":{"id":12345678901234567890,"items":[{"name":" Tea "}],"note":null}}'

  test.each<[string, object]>([
    ['$.order.id', { ok: true, value: '12345678901234567890' }],
    ['order.items[0].name', { ok: true, value: 'Tea' }],
    ['order.items[1].name', { ok: true, value: '' }],
    ['order.note', { ok: true, value: '' }],
    ['order.items', { ok: true, value: '[{"name":" Tea "}]' }],
    ['$', { ok: false, reason: { code: 'path_empty' } }],
    ['order items', { ok: false, reason: { code: 'path_space' } }],
    ['order[x]', { ok: false, reason: { code: 'path_bad_position' } }],
  ])('reads the path %j as a hook does', async (path, result) => {
    const answer = await owner.ask<Tried>('POST', `${testers()}/path`, { json, path })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject(result)
  })

  test.each([
    ['{"a":', 'hook_body_not_json'],
    ['"text"', 'hook_body_not_container'],
  ])('says that %j is no body', async (text, code) => {
    const answer = await owner.ask<Tried>('POST', `${testers()}/path`, { json: text, path: 'a' })
    expect(answer.body).toMatchObject({ ok: false, reason: { code } })
  })

  test.each<[string, string, object]>([
    ['0501234567', 'SA', { ok: true, value: '+966501234567' }],
    ['٠٥٠١٢٣٤٥٦٧', 'SA', { ok: true, value: '+966501234567' }],
    ['00971 50 123 4567', '', { ok: true, value: '+971501234567' }],
    ['0501234567', 'US', { ok: false, reason: { code: 'phone_unreadable' } }],
  ])('reads the phone %j in %j as a hook does', async (value, country, result) => {
    const answer = await owner.ask<Tried>('POST', `${testers()}/phone`, { value, country })
    expect(answer.body).toMatchObject(result)
  })

  test('takes at most 64 KB', async () => {
    const text = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) })
    const ask = (bytes: number) =>
      owner.ask('POST', `${testers()}/path`, { json: text(bytes), path: 'a' })
    expect((await ask(HOOK_LIMITS.bodyBytes)).status).toBe(200)
    expect((await ask(HOOK_LIMITS.bodyBytes + 1)).body.errors).toEqual([
      {
        field: 'json',
        code: 'too_big',
        params: { most: HOOK_LIMITS.bodyBytes, unit: 'bytes' },
        message: expect.any(String),
      },
    ])
  })
})
