/** The copy of the last JSON request of a URL, for mapping fields. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HookShape, HookUrlView, NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { addFlow } from '../support/add-flow.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { whatIsStored } from './what-is-stored.ts'

let world: World
let shop: Shop
let serial = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.advance(60_000)
  serial += 1
  shop = await createShop(world, { phoneNumberId: `n${serial}`, businessAccountId: `a${serial}` })
  await askHook(shop.hookUrl, FIRST)
})

const FIRST = { first: true }
const NEXT = { ...ORDER, next: true }
const kept = async () => {
  const { shape, shapeStatus } = await whatIsStored(world, shop)
  return { shape: JSON.parse(shape!) as unknown, status: shapeStatus }
}
const change = (sql: string, ...values: unknown[]) => world.database.db.pool.query(sql, values)

test('the first request is kept, with the answer that it got', async () => {
  expect(await kept()).toEqual({ shape: FIRST, status: 'invalid_phone' })
})

describe('each new JSON request replaces it, even a refused one', () => {
  test.each<[string, () => Promise<unknown>, Record<string, string>]>([
    ['accepted', async () => {}, {}],
    ['idempotency_key_too_long', async () => {}, { 'idempotency-key': 'k'.repeat(201) }],
    [
      'not_in_plan',
      () => change(`update account set plan = 'pro' where id = $1`, shop.accountId),
      {},
    ],
    ['flow_off', () => change('update flow set is_on = false where id = $1', shop.flowId), {}],
    [
      'flow_not_listening',
      () =>
        change(
          `with second as (
              insert into flow_version (id, company_id, flow_id, number, definition, trigger_kind,
                channel_id, published_at, created_at)
              select gen_random_uuid(), company_id, flow_id, 2, replace(definition,
                '{"kind":"webhook"', '{"kind":"keyword","words":["hello"]'), 'keyword', channel_id,
                published_at, created_at from flow_version where id = $1
              returning id, flow_id
            )
            update flow set published_version_id = second.id from second
              where flow.id = second.flow_id`,
          shop.versionId,
        ),
      {},
    ],
    [
      'duplicate',
      () => askHook(shop.hookUrl, ORDER, { 'idempotency-key': 'k' }),
      { 'idempotency-key': 'k' },
    ],
    [
      'channel_unavailable',
      () => change('update channel set is_connected = false where id = $1', shop.channelId),
      {},
    ],
    [
      'template_limit_reached',
      () =>
        change(
          `insert into template_day values ($1, ($2::timestamptz at time zone 'UTC')::date, 1000)`,
          shop.accountId,
          world.clock.now(),
        ),
      {},
    ],
    [
      'opted_out',
      async () => {
        await askHook(shop.hookUrl, ORDER)
        await change(
          'update contact set opted_out_at = now() where company_id = $1',
          shop.companyId,
        )
      },
      {},
    ],
  ])('%s', async (status, prepare, headers) => {
    await prepare()
    expect(await askHook(shop.hookUrl, NEXT, headers)).toMatchObject({ status })
    expect(await kept()).toEqual({ shape: NEXT, status })
  })

  test('of two at once the later one is kept', async () => {
    await Promise.all([askHook(shop.hookUrl, { a: 1 }), askHook(shop.hookUrl, { a: 1 })])
    expect(await kept()).toEqual({ shape: { a: 1 }, status: 'invalid_phone' })
  })
})

describe('it is kept after', () => {
  test.each<[number, () => Promise<unknown>, unknown, Record<string, string>]>([
    [415, async () => {}, NEXT, { 'content-type': 'text/plain' }],
    [413, async () => {}, JSON.stringify({ filler: 'x'.repeat(65_536) }), {}],
    [400, async () => {}, '{"next":', {}],
    [400, async () => {}, '"next"', {}],
    [
      429,
      () => change('update hook_url_count set requests = 60 where company_id = $1', shop.companyId),
      NEXT,
      {},
    ],
    [
      429,
      () =>
        change(
          'update company_hook_count set requests = 1000 where company_id = $1',
          shop.companyId,
        ),
      NEXT,
      {},
    ],
    [
      503,
      () =>
        change(
          `insert into operator_switch values ('hooks_paused', true, now())
            on conflict (name) do update set is_on = true`,
        ),
      NEXT,
      {},
    ],
  ])('%i', async (http, prepare, body, headers) => {
    const before = await kept()
    await prepare()
    const answer = await askHook(shop.hookUrl, body, headers)
    await change('update operator_switch set is_on = false')
    expect(answer.http).toBe(http)
    expect(await kept()).toEqual(before)
  })
})

test('lists are cut to their first 3 items and strings to their first 200 characters', async () => {
  const long = '٣'.repeat(300)
  await askHook(shop.hookUrl, {
    list: [1, 2, 3, 4, 5],
    text: long,
    deep: { list: [['a', 'b', 'c', 'd'], long], [long]: 1 },
    id: 1,
  })
  const cut = long.slice(0, 200)
  expect((await kept()).shape).toEqual({
    list: [1, 2, 3],
    text: cut,
    deep: { list: [['a', 'b', 'c'], cut], [cut]: 1 },
    id: 1,
  })
})

test('values stay as they were sent, order ids of 20 digits too', async () => {
  await askHook(
    shop.hookUrl,
    '{"id": 12345678901234567890, "total": 1.50, "paid": true, "no": null}',
  )
  expect((await whatIsStored(world, shop)).shape).toBe(
    '{"id":12345678901234567890,"total":1.5,"paid":true,"no":null}',
  )
})

test('it says when it came, so that it can go 30 days later', async () => {
  world.clock.advance(5_000)
  await askHook(shop.hookUrl, NEXT)
  const { rows } = await world.database.db.pool.query<{ received_at: Date }>(
    'select received_at from hook_shape where company_id = $1',
    [shop.companyId],
  )
  expect(rows).toEqual([{ received_at: world.clock.now() }])
})

test('it is per URL, not per account: what one flow is sent leaves the other’s as it was', async () => {
  const other = await addFlow(world, shop)
  await askHook(other.hookUrl, { second: true })
  await askHook(shop.hookUrl, NEXT)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const urls = `/companies/${shop.companyId}/hook-urls`
  const { body } = await owner.ask<Page<HookUrlView>>('GET', urls)
  const shapes = new Map<string, unknown>()
  for (const { id, flow } of body.items) {
    const shown = await owner.ask<{ shape: HookShape | null }>('GET', `${urls}/${id}/shape`)
    shapes.set(flow.id, JSON.parse(shown.body.shape!.body))
  }
  expect(shapes).toEqual(
    new Map<string, unknown>([
      [shop.flowId, NEXT],
      [other.flowId, { second: true }],
    ]),
  )
})

test('it stays with the flow when the URL is replaced', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const urls = `/companies/${shop.companyId}/hook-urls`
  const { body } = await owner.ask<Page<HookUrlView>>('GET', urls)
  const replaced = await owner.ask<NewHookUrl>('POST', `${urls}/${body.items[0]!.id}/replace`)
  expect(replaced.status).toBe(200)
  expect((await kept()).shape).toEqual(FIRST)
  expect((await askHook(replaced.body.url, NEXT)).http).toBe(202)
  expect((await kept()).shape).toEqual(NEXT)
})
