/** Faults on the first page, and the states of flows and of the set-up when they do not run. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { FlowView } from '../../src/contract/dashboard/flow.ts'
import type { HomeView } from '../../src/contract/dashboard/home.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { addAction, addCalls } from '../support/records/calls.ts'
import { putChannel, setConnected } from '../support/records/channels.ts'
import { putHealth, switchOff } from '../support/records/endpoints.ts'
import { switchFlow, unpublishFlow } from '../support/records/flows.ts'
import { json, startShopApi } from '../support/shop-api.ts'
import type { Shop } from '../support/shop.ts'

const world = await openWorld()
const api = await startShopApi(world)
afterAll(() => api.close())
let shop: Shop
let owner: Member
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
})

const company = () => `/companies/${shop.companyId}`
const home = async (by = owner) => (await by.ask<HomeView>('GET', `${company()}/home`)).body
const attention = async () => (await home()).attention
const connected = async () =>
  (
    await owner.ask<{ id: string }>('POST', `${company()}/connections`, {
      name: 'Shop system',
      baseUrl: api.baseUrl,
    })
  ).body.id

test('The list is empty in a shop where all works, and an Agent does not see it', async () => {
  expect(await attention()).toEqual([])
  const agent = await signedIn(world, { ...shop, role: 'agent' })
  expect((await home(agent)).attention).toBe(null)
})

describe('A connection of which every call fails', () => {
  const failing = (id: string, calls: number, more: object) => [
    { kind: 'connection', id, name: 'Shop system', calls, ...more },
  ]

  test('is on the first page until a call succeeds, or for a day; tests change nothing', async () => {
    const connectionId = await connected()
    api.reply(json(200))
    await owner.ask('POST', `${company()}/connections/${connectionId}/test`, {})
    const of = { ...shop, connectionId }
    await addCalls(world, of, { error: 'timeout' }, { error: 'http_error', status: 503 })
    const told = { lastStatus: 503, lastFailure: 'http_error' }
    expect(await attention()).toEqual(failing(connectionId, 2, told))
    await addCalls(world, of, { error: null, status: 200 })
    expect(await attention()).toEqual([])
    world.clock.advance(DAY_MS + 1)
    owner = await signedIn(world, shop)
    await addCalls(world, of, { error: 'dns_failed' }, { error: 'dns_failed', isRepeat: true })
    const lost = { lastStatus: null, lastFailure: 'dns_failed' }
    expect(await attention()).toEqual(failing(connectionId, 1, lost))
    world.clock.advance(DAY_MS + 1)
    owner = await signedIn(world, shop)
    expect(await attention()).toEqual([])
  })

  test('is not listed when only tests failed, or when it is switched off', async () => {
    const connectionId = await connected()
    api.reply(json(500))
    await owner.ask('POST', `${company()}/connections/${connectionId}/test`, {})
    expect(await attention()).toEqual([])
    await addCalls(world, { ...shop, connectionId }, { error: 'timeout' })
    expect(await attention()).toHaveLength(1)
    await owner.ask('POST', `${company()}/connections/${connectionId}/switch-off`)
    expect(await attention()).toEqual([])
  })

  test('is named by its action when other calls through it succeed', async () => {
    const connectionId = await connected()
    const actionId = await addAction(world, shop, { connectionId })
    const of = { ...shop, connectionId }
    await addCalls(world, of, { error: null, status: 200 }, { actionId, error: 'http_error' })
    expect(await attention()).toMatchObject([{ kind: 'action', id: actionId, name: 'saved' }])
    await addCalls(world, of, { actionId, error: null, status: 200 })
    expect(await attention()).toEqual([])
  })
})

describe('An endpoint', () => {
  test('is listed while it fails, and once it was switched off for it, with since when', async () => {
    world.receiver.answerWith(500)
    await raisePings(world, shop)
    await world.service.processAll()
    world.receiver.answerWith(204)
    const since = world.clock.now().toISOString()
    const its = { kind: 'endpoint', id: shop.endpointId, name: 'Test receiver', since }
    expect(await attention()).toEqual([{ ...its, state: 'failing' }])
    await switchOff(world, shop, { reason: 'failures_in_row' })
    expect(await attention()).toEqual([{ ...its, state: 'off_failures' }])
  })

  test('is not listed when a member switched it off', async () => {
    await putHealth(world, shop, { failuresInRow: 3, failingSince: world.clock.now() })
    await switchOff(world, shop)
    expect(await attention()).toEqual([])
  })
})

describe('A channel', () => {
  test('is listed when its provider ended it or its updates fail, not when a member did', async () => {
    const its = { kind: 'channel', id: shop.channelId, type: 'whatsapp' }
    const lost = serializeFact(fact('channel_account_lost', { event: 'DISABLED' }))
    await setConnected(world, shop, false, lost)
    const reason = { text: expect.stringContaining('DISABLED') }
    expect(await attention()).toMatchObject([{ ...its, isConnected: false, reason }])
    await setConnected(world, shop, false, serializeFact(fact('channel_off_by_member')))
    expect(await attention()).toEqual([])
    await putChannel(world, shop.channelId, { isConnected: true, problem: lost })
    expect(await attention()).toMatchObject([{ ...its, isConnected: true }])
  })
})

describe('Off the Business plan', () => {
  test('the first page says so, and neither flows nor the set-up are shown as running', async () => {
    await setPlan(world, shop, 'pro')
    const { attention: items, setUp } = await home()
    expect(items).toEqual([{ kind: 'plan', plan: 'pro' }])
    expect(setUp).toMatchObject({
      flow: { isPublished: true, state: 'not_in_plan' },
      hookUrl: { flowState: 'not_in_plan' },
    })
  })

  test('faults are not listed as well, since nothing is delivered and called', async () => {
    await putHealth(world, shop, { failuresInRow: 3, failingSince: world.clock.now() })
    await addCalls(world, { ...shop, connectionId: await connected() }, { error: 'timeout' })
    expect(await attention()).toHaveLength(2)
    await setPlan(world, shop, 'free')
    expect(await attention()).toEqual([{ kind: 'plan', plan: 'free' }])
  })
})

describe('The badge of a flow', () => {
  const state = async () => {
    const { body } = await owner.ask<Page<FlowView>>('GET', `${company()}/flows`)
    return [body.items[0]!.state, (await home()).setUp!.flow!.state]
  }

  test.each([
    ['on', async () => {}],
    ['off', () => switchFlow(world, shop, false)],
    ['draft', () => unpublishFlow(world, shop)],
    ['channel_off', () => setConnected(world, shop, false)],
    ['not_in_plan', () => setPlan(world, shop, 'pro')],
    ['not_in_plan', () => setPlan(world, shop, 'free')],
  ] as const)('is %s, in the list and on the first page', async (expected, change) => {
    await change()
    expect(await state()).toEqual([expected, expected])
  })
})

test('The set-up counts the endpoints that are on, and names one of them', async () => {
  expect((await home()).setUp!.endpoint).toMatchObject({ name: 'Test receiver', count: 1 })
  await switchOff(world, shop)
  expect((await home()).setUp!.endpoint).toMatchObject({ isOn: false, count: 0 })
  await addEndpoint(world, shop)
  expect((await home()).setUp!.endpoint).toMatchObject({ name: 'Another', isOn: true, count: 1 })
})
