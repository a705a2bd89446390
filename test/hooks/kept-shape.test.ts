/** The copy of the last JSON request of a URL, for mapping fields. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { HookShape, HookUrlView, NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { addFlow } from '../support/add-flow.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { setPlan } from '../support/records/accounts.ts'
import { setConnected } from '../support/records/channels.ts'
import { contactsOf, optOut } from '../support/records/contacts.ts'
import { addFlowVersion, definitionOf, switchFlow } from '../support/records/flows.ts'
import {
  pauseHooks,
  setRequestsOfHour,
  setRequestsOfMinute,
  whatIsStored,
} from '../support/records/hooks.ts'
import { setTemplatesToday } from '../support/records/templates.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
const world = await openWorld()

beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await createOwnShop(world)
  await postHook(shop.hookUrl, FIRST)
})

const KEY = { 'idempotency-key': 'k' }
const FIRST = { first: true }
const NEXT = { ...ORDER, next: true }
const kept = async () => {
  const { shape, shapeStatus } = await whatIsStored(world, shop)
  return { shape: JSON.parse(shape!) as unknown, status: shapeStatus }
}
/** Publishes a version that listens to a keyword. */
async function listenToKeyword() {
  const definition = await definitionOf(world, shop)
  const trigger = { kind: 'keyword', words: ['hello'] }
  const { channelId } = shop
  const version = { definition: { ...definition, trigger }, triggerKind: 'keyword', channelId }
  await addFlowVersion(world, shop, version)
}

test('the first request is kept, with the answer that it got', async () => {
  expect(await kept()).toEqual({ shape: FIRST, status: 'invalid_phone' })
})

describe('each new JSON request replaces it, even a refused one', () => {
  test.each<[string, () => Promise<unknown>, Record<string, string>]>([
    ['accepted', async () => {}, {}],
    ['idempotency_key_too_long', async () => {}, { 'idempotency-key': 'k'.repeat(201) }],
    ['not_in_plan', () => setPlan(world, shop, 'pro'), {}],
    ['flow_off', () => switchFlow(world, shop, false), {}],
    ['flow_not_listening', listenToKeyword, {}],
    ['duplicate', () => postHook(shop.hookUrl, ORDER, KEY), KEY],
    ['channel_unavailable', () => setConnected(world, shop, false), {}],
    ['template_limit_reached', () => setTemplatesToday(world, shop, 1_000), {}],
    [
      'opted_out',
      async () => {
        await postHook(shop.hookUrl, ORDER)
        for (const { id } of await contactsOf(world, shop)) await optOut(world, id)
      },
      {},
    ],
  ])('%s', async (status, prepare, headers) => {
    await prepare()
    expect(await postHook(shop.hookUrl, NEXT, headers)).toMatchObject({ status })
    expect(await kept()).toEqual({ shape: NEXT, status })
  })

  test('the later of two concurrent requests is kept', async () => {
    await Promise.all([postHook(shop.hookUrl, { a: 1 }), postHook(shop.hookUrl, { a: 1 })])
    expect(await kept()).toEqual({ shape: { a: 1 }, status: 'invalid_phone' })
  })
})

describe('it stays as it was after', () => {
  test.each<[number, () => Promise<unknown>, unknown, Record<string, string>]>([
    [415, async () => {}, NEXT, { 'content-type': 'text/plain' }],
    [413, async () => {}, JSON.stringify({ filler: 'x'.repeat(65_536) }), {}],
    [400, async () => {}, '{"next":', {}],
    [400, async () => {}, '"next"', {}],
    [429, () => setRequestsOfMinute(world, shop, 60), NEXT, {}],
    [429, () => setRequestsOfHour(world, shop, 1_000), NEXT, {}],
    [503, () => pauseHooks(world, true), NEXT, {}],
  ])('%i', async (http, prepare, body, headers) => {
    const before = await kept()
    await prepare()
    const answer = await postHook(shop.hookUrl, body, headers)
    await pauseHooks(world, false)
    expect(answer.http).toBe(http)
    expect(await kept()).toEqual(before)
  })
})

test('values stay as they were sent, order ids of 20 digits too', async () => {
  await postHook(
    shop.hookUrl,
    '{"id": 12345678901234567890, "total": 1.50, "paid": true, "no": null}',
  )
  expect((await whatIsStored(world, shop)).shape).toBe(
    '{"id":12345678901234567890,"total":1.50,"paid":true,"no":null}',
  )
})

test('it has the time of its request, so that it can be deleted 30 days later', async () => {
  world.clock.advance(5_000)
  await postHook(shop.hookUrl, NEXT)
  expect(await whatIsStored(world, shop)).toMatchObject({ shapeAt: world.clock.now() })
})

async function hookUrls() {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const urls = `/companies/${shop.companyId}/hook-urls`
  const { body } = await owner.ask<Page<HookUrlView>>('GET', urls)
  return { owner, urls, items: body.items }
}

test('each URL has its own: a request to one flow leaves the other’s as it was', async () => {
  const other = await addFlow(world, shop)
  await postHook(other.hookUrl, { second: true })
  await postHook(shop.hookUrl, NEXT)
  const { owner, urls, items } = await hookUrls()
  const shapes = new Map<string, unknown>()
  for (const { id, flow } of items) {
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
  const { owner, urls, items } = await hookUrls()
  const replaced = await owner.ask<NewHookUrl>('POST', `${urls}/${items[0]!.id}/replace`)
  expect(replaced.status).toBe(200)
  expect((await kept()).shape).toEqual(FIRST)
  expect((await postHook(replaced.body.url, NEXT)).http).toBe(202)
  expect((await kept()).shape).toEqual(NEXT)
})
