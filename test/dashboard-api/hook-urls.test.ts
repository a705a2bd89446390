import { describe, expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type {
  HookShape,
  HookUrlView,
  NewHookUrl,
  TryResult,
} from '../../src/contract/dashboard/hook-url.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn, itemsOf } from '../support/dashboard.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { auditLog } from '../support/records/audit.ts'
import { textOfSecrets } from '../support/records/erasing.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, shop, owner } = await openOwnedShop()
const hookUrls = (companyId = shop.companyId) => `/companies/${companyId}/hook-urls`
const hookUrlId = (await itemsOf<HookUrlView>(owner, hookUrls()))[0]!.id

async function newFlow(member = owner, companyId = shop.companyId): Promise<string> {
  const path = `/companies/${companyId}/flows`
  return (await member.ask<FlowDetail>('POST', path, { name: 'Flow' })).body.id
}

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
    // The flow is not published yet, but the token is known.
    expect((await postHook(made.body.url)).status).toBe('flow_off')
    expect((await textOfSecrets(world)) + world.logged.join('')).not.toContain(token)
    const again = await owner.ask('POST', hookUrls(), { flowId })
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('invalidates the old token immediately when it is replaced, and keeps the flow’s keys', async () => {
    const key = { 'idempotency-key': 'order-77' }
    const first = await postHook(shop.hookUrl, undefined, key)
    expect(first.status).toBe('accepted')
    const replaced = await owner.ask<NewHookUrl>('POST', `${hookUrls()}/${hookUrlId}/replace`)
    expect(replaced.body.hookUrl.replacedAt).toBe(world.clock.now().toISOString())
    await expect.poll(async () => (await postHook(shop.hookUrl, undefined, key)).http).toBe(404)
    const again = await postHook(replaced.body.url, undefined, key)
    expect(again).toMatchObject({ http: 200, status: 'duplicate', id: first.id })
    shop.hookUrl = replaced.body.url
  })

  test('answers 404 once it is deleted', async () => {
    const made = await owner.ask<NewHookUrl>('POST', hookUrls(), { flowId: await newFlow() })
    const path = `${hookUrls()}/${made.body.hookUrl.id}`
    expect((await owner.ask('DELETE', path)).status).toBe(204)
    await expect.poll(async () => (await postHook(made.body.url)).http).toBe(404)
    expect((await owner.ask('DELETE', path)).status).toBe(404)
  })

  systemTest('is one of at most 20 per account, also when two are made concurrently', async () => {
    const { shop: other, owner: member } = await ownedShop(world)
    const path = hookUrls(other.companyId)
    const newOne = () => newFlow(member, other.companyId)
    const make = async (flowId: string) => (await member.ask('POST', path, { flowId })).status
    for (let made = 1; made < HOOK_LIMITS.urlsPerCompany - 1; made += 1) {
      expect(await make(await newOne())).toBe(201)
    }
    const flowIds = [await newOne(), await newOne(), await newOne()]
    const statuses = await Promise.all(flowIds.map(make))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const refused = await member.ask('POST', path, { flowId: await newOne() })
    expect(refused.body.code).toBe('limit_reached')
    const items = await itemsOf<HookUrlView>(member, path)
    expect(items).toHaveLength(HOOK_LIMITS.urlsPerCompany)
  })

  test('is made on the Business plan only; after leaving it, it can be replaced and deleted', async () => {
    const [flowId, later] = [await newFlow(), await newFlow()]
    const made = await owner.ask<NewHookUrl>('POST', hookUrls(), { flowId })
    await setPlan(world, shop, 'pro')
    try {
      const refused = await owner.ask('POST', hookUrls(), { flowId: later })
      expect(refused).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
      const path = `${hookUrls()}/${made.body.hookUrl.id}`
      expect((await owner.ask('POST', `${path}/replace`)).status).toBe(200)
      expect((await owner.ask('DELETE', path)).status).toBe(204)
    } finally {
      await setPlan(world, shop, 'business')
    }
  })

  test('leaves each change in the audit log, without the token', async () => {
    const log = await auditLog(world, { companyId: shop.companyId })
    const ofHookUrls = log.filter(({ subjectKind }) => subjectKind === 'hook_url')
    expect(new Set(ofHookUrls.map(({ action }) => action))).toEqual(
      new Set(['hook_url.created', 'hook_url.replaced', 'hook_url.deleted']),
    )
    expect(JSON.stringify(ofHookUrls)).not.toMatch(/hook_[A-Za-z0-9_-]{37}/)
  })
})

describe('A tester', () => {
  const testers = () => `/companies/${shop.companyId}/testers`
  const json = '{"order":{"id":12345678901234567890,"items":[{"name":" Tea "}],"note":null}}'

  test.each<[string, object]>([
    ['$.order.id', { ok: true, value: '12345678901234567890' }],
    ['order.items[0].name', { ok: true, value: 'Tea' }],
    ['order items', { ok: false, reason: { code: 'path_space' } }],
  ])('reads the path %j as a hook does', async (path, result) => {
    const answer = await owner.ask<TryResult>('POST', `${testers()}/path`, { json, path })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject(result)
  })

  test.each([
    ['{"a":', 'hook_body_not_json'],
    ['"text"', 'hook_body_not_container'],
  ])('says that %j is no body', async (text, code) => {
    const answer = await owner.ask<TryResult>('POST', `${testers()}/path`, {
      json: text,
      path: 'a',
    })
    expect(answer.body).toMatchObject({ ok: false, reason: { code } })
  })

  test.each<[string, string, object]>([
    ['٠٥٠١٢٣٤٥٦٧', 'SA', { ok: true, value: '+966501234567' }],
    ['0501234567', 'US', { ok: false, reason: { code: 'phone_unreadable' } }],
  ])('reads the phone %j in %j as a hook does', async (value, country, result) => {
    const answer = await owner.ask<TryResult>('POST', `${testers()}/phone`, { value, country })
    expect(answer.body).toMatchObject(result)
  })

  test('accepts at most 64 KB', async () => {
    const text = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) })
    const ask = (bytes: number) =>
      owner.ask('POST', `${testers()}/path`, { json: text(bytes), path: 'a' })
    expect((await ask(HOOK_LIMITS.bodyBytes)).status).toBe(200)
    expect((await ask(HOOK_LIMITS.bodyBytes + 1)).body.errors).toEqual([
      {
        field: 'json',
        code: 'too_big',
        params: { max: HOOK_LIMITS.bodyBytes, unit: 'bytes' },
        message: expect.any(String),
      },
    ])
  })
})

test('The kept shape is the last JSON body as it was sent, its answer and its time, for 30 days', async () => {
  const asker = await ownedShop(world)
  const urls = hookUrls(asker.shop.companyId)
  const shapeOf = async () => {
    const member = await signedIn(world, { accountId: asker.shop.accountId })
    const { id } = (await itemsOf<HookUrlView>(member, urls))[0]!
    return (await member.ask<{ shape: HookShape | null }>('GET', `${urls}/${id}/shape`)).body.shape
  }
  expect(await shapeOf()).toBeNull()
  await postHook(asker.shop.hookUrl, '{"order":')
  expect(await shapeOf()).toBeNull()
  const body = '{"order":{"id":12345678901234567890}}'
  await postHook(asker.shop.hookUrl, body)
  const shape = {
    body,
    answerStatus: 'invalid_phone',
    stoppedAtCheck: 11,
    receivedAt: world.clock.now().toISOString(),
  }
  expect(await shapeOf()).toEqual(shape)
  world.clock.advance(30 * DAY_MS - 1)
  expect(await shapeOf()).toEqual(shape)
  world.clock.advance(1)
  expect(await shapeOf()).toBeNull()
  await postHook(asker.shop.hookUrl)
  expect(await shapeOf()).toMatchObject({ answerStatus: 'accepted', stoppedAtCheck: null })
})
