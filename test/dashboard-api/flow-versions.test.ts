/** Drafts that two people edit, the versions of a flow, copies of it, and a test run. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  FlowDetail,
  FlowVersionView,
  ListedVersion,
  PublishedFlow,
} from '../../src/contract/dashboard/flow.ts'
import type { HookShape } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunDetail, StartedRun } from '../../src/contract/dashboard/run.ts'
import { HOOK_STATUSES } from '../../src/vocabulary/hooks.ts'
import { checkStoppedAt } from '../../src/rules/hooks/check-stopped-at.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

const flows = () => `/companies/${shop.companyId}/flows`
const draft = (start = 'tell') => ({
  channelId: shop.channelId,
  trigger: {
    kind: 'webhook',
    phonePath: 'customer.phone',
    namePath: null,
    languagePath: null,
    keep: [],
  },
  start,
  steps: ORDER_READY_STEPS,
})

test('a draft that somebody else has changed is not overwritten by who has not seen it', async () => {
  const made = await owner.ask<FlowDetail>('POST', flows(), { name: 'Shared' })
  const path = `${flows()}/${made.body.id}/draft`
  const seenAt = made.body.updatedAt
  world.clock.advance(1_000)
  const saved = await owner.ask<FlowDetail>('PUT', `${path}?seenAt=${seenAt}`, draft())
  expect(saved.status).toBe(200)
  const late = await owner.ask('PUT', `${path}?seenAt=${seenAt}`, draft('ask'))
  expect([late.status, late.body.code]).toEqual([409, 'stale'])
  const kept = await owner.ask<FlowDetail>('GET', `${flows()}/${made.body.id}`)
  expect(kept.body.draft!.definition.start).toBe('tell')
  // Without a word of what was seen it is saved as ever.
  expect((await owner.ask('PUT', path, draft('ask'))).status).toBe(200)
  expect((await owner.ask('PUT', `${path}?seenAt=yesterday`, draft())).status).toBe(422)
})

test('a flow that was published, or switched off, since it was seen is not overwritten either', async () => {
  const made = await owner.ask<FlowDetail>('POST', flows(), { name: 'Seen', draft: draft() })
  const path = `${flows()}/${made.body.id}`
  const save = (seenAt: string) => owner.ask('PUT', `${path}/draft?seenAt=${seenAt}`, draft())
  world.clock.advance(1_000)
  const { body } = await owner.ask<PublishedFlow>('POST', `${path}/publish`)
  expect((await save(made.body.updatedAt)).body.code).toBe('stale')
  world.clock.advance(1_000)
  const off = await owner.ask<FlowDetail>('PATCH', path, { isOn: false })
  expect((await save(body.flow.updatedAt)).body.code).toBe('stale')
  expect((await save(off.body.updatedAt)).status).toBe(200)
})

test('a flow is made with a draft, and its versions are listed and shown', async () => {
  const made = await owner.ask<FlowDetail>('POST', flows(), { name: 'Copy', draft: draft() })
  expect(made.status).toBe(201)
  expect(made.body.draft).toMatchObject({ number: 1, definition: { start: 'tell' } })
  const path = `${flows()}/${made.body.id}`
  const published = await owner.ask<PublishedFlow>('POST', `${path}/publish`)
  expect(published.status).toBe(200)
  await owner.ask('PUT', `${path}/draft`, draft('ask'))
  const { body } = await owner.ask<Page<ListedVersion>>('GET', `${path}/versions`)
  expect(body.items).toMatchObject([
    { number: 2, publishedAt: null, isPublishedNow: false },
    { number: 1, publishedAt: expect.any(String), isPublishedNow: true },
  ])
  const one = await owner.ask<FlowVersionView>('GET', `${path}/versions/1`)
  expect(one.body.definition.start).toBe('tell')
  for (const number of ['3', '0', '-1', '1e9', '99999999999']) {
    expect((await owner.ask('GET', `${path}/versions/${number}`)).status).toBe(404)
  }
  // Of one that was deleted its runs still show what they did.
  expect((await owner.ask('DELETE', path)).status).toBe(204)
  expect((await owner.ask('GET', `${path}/versions`)).status).toBe(404)
  expect((await owner.ask('GET', `${path}/versions/1`)).status).toBe(200)
  const wrong = { ...draft(), channelId: '01890000-0000-7000-8000-000000000000' }
  const refused = await owner.ask('POST', flows(), { name: 'Wrong', draft: wrong })
  expect(refused.status).toBe(422)
})

test('a test run starts any flow for one number, and an Agent starts none', async () => {
  const path = `${flows()}/${shop.flowId}`
  const input = { phone: '0501234567', variables: { order: '77' } }
  expect((await owner.ask('POST', `${path}/runs`, input)).status).toBe(409)
  const started = await owner.ask<StartedRun>('POST', `${path}/test-runs`, input)
  expect(started.status).toBe(201)
  const runs = `/companies/${shop.companyId}/runs`
  const { body } = await owner.ask<RunDetail>('GET', `${runs}/${started.body.id}`)
  expect(body).toMatchObject({
    triggerKind: 'manual',
    versionNumber: 1,
    variables: { order: '77' },
    contact: { phone: '+966501234567' },
  })
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  expect((await agent.ask('POST', `${path}/test-runs`, input)).status).toBe(403)
})

test('the last request of a hook URL tells which check it stopped at', async () => {
  const stopped = async () => {
    const urls = `/companies/${shop.companyId}/hook-urls`
    const list = await owner.ask<Page<{ id: string }>>('GET', urls)
    const shape = `${urls}/${list.body.items[0]!.id}/shape`
    return (await owner.ask<{ shape: HookShape }>('GET', shape)).body.shape
  }
  await askHook(shop.hookUrl, { customer: { phone: 'nobody' } })
  expect(await stopped()).toMatchObject({ answerStatus: 'invalid_phone', stoppedAtCheck: 11 })
  await askHook(shop.hookUrl, { customer: { phone: '0501234568' } })
  expect(await stopped()).toMatchObject({ answerStatus: 'accepted', stoppedAtCheck: null })
  for (const status of HOOK_STATUSES) {
    if (status !== 'accepted') expect(checkStoppedAt(status)).toBeGreaterThan(0)
  }
})
