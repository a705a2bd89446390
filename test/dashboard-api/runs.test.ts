/** Runs of flows; drafts that two members edit, the versions of a flow, its copies, and a test run. */
import { describe, expect, test } from 'vitest'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunDetail, RunView, StartedRun } from '../../src/contract/dashboard/run.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { signedIn, itemsOf } from '../support/dashboard.ts'
import { shownRun } from '../support/shown-run.ts'
import { ORDER_READY_STEPS, orderDraft } from '../support/shop.ts'
import { actionsOn } from '../support/records/audit.ts'
import { conversationWith, putConversation } from '../support/records/conversations.ts'
import { putTemplates } from '../support/records/templates.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'
import type {
  FlowDetail,
  FlowVersionView,
  ListedVersion,
  PublishedFlow,
} from '../../src/contract/dashboard/flow.ts'
import { postHook, ORDER } from '../support/post-hook.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, shop)

const runs = `/companies/${shop.companyId}/runs`
const list = async (query = '') => (await owner.ask<Page<RunView>>('GET', `${runs}${query}`)).body
const detail = (runId: string) => shownRun(owner, { companyId: shop.companyId, runId })

describe('The detail of a run', () => {
  test('shows its steps in order, the state of each message, and the replies', async () => {
    const phone = newPhone()
    const id = await shop.order(phone, { order: { number: '2001' } })
    expect(await detail(id)).toMatchObject({
      status: 'queued',
      steps: [],
      variables: { order: '2001' },
    })
    await whatsApp.settle()
    const waiting = await detail(id)
    expect(waiting).toMatchObject({
      id,
      flow: { id: shop.flowId, name: 'Order is ready' },
      versionNumber: 1,
      triggerKind: 'webhook',
      status: 'waiting',
      endReason: null,
      contact: { name: 'Sara', phone },
      stepId: 'ask',
      waitsFor: 'reply',
      waitsUntil: new Date(world.clock.now().getTime() + DAY_MS).toISOString(),
    })
    expect(waiting.steps[0]).toMatchObject({
      number: 1,
      stepId: 'tell',
      kind: 'send_template',
      status: 'done',
      message: {
        templateName: 'order_ready',
        templateLanguage: 'en',
        text: expect.stringContaining('2001'),
        status: 'delivered',
        deliveredAt: expect.any(String),
        failedAt: null,
      },
    })
    whatsApp.simulator.sendText({
      from: phone.slice(1),
      phoneNumberId: shop.phoneNumberId,
      text: 'Yes',
    })
    await whatsApp.settle()
    const ended = await detail(id)
    expect(ended).toMatchObject({
      status: 'completed',
      endReason: 'completed',
      endedAt: expect.any(String),
      waitsFor: null,
      variables: { order: '2001', answer: 'Yes' },
      replies: [{ type: 'text', text: 'Yes' }],
    })
    expect(ended.steps.map(({ stepId, status }) => [stepId, status])).toEqual([
      ['tell', 'done'],
      ['ask', 'done'],
      ['finish', 'done'],
    ])
  })

  test('says why a run failed', async () => {
    await putTemplates(world, shop, { status: 'PAUSED' })
    const id = await shop.order(newPhone())
    await whatsApp.settle()
    expect(await detail(id)).toMatchObject({
      status: 'failed',
      endReason: 'error',
      endDetail: { code: 'template_not_approved', params: { template: 'order_ready' } },
      steps: [{ stepId: 'tell', status: 'failed', message: null }],
    })
    await putTemplates(world, shop, { status: 'APPROVED' })
  })

  test('says why a run was skipped', async () => {
    const phone = newPhone()
    const id = await shop.order(phone)
    const { id: conversationId } = await conversationWith(world, shop, phone)
    await putConversation(world, conversationId, { handledBy: 'staff' })
    await whatsApp.settle()
    expect(await detail(id)).toMatchObject({
      status: 'skipped',
      endReason: null,
      endDetail: { code: 'staff_handling' },
    })
  })
})

systemTest('A run shows all answers of the customer, in their order', async () => {
  const { tell, ask } = ORDER_READY_STEPS
  const again = { ...ask, saveAs: 'more', next: null, onTimeout: null }
  const asking = await whatsApp.openShop({
    steps: { tell, ask: { ...ask, next: 'again', onTimeout: null }, again },
  })
  const member = await signedIn(world, { accountId: asking.accountId })
  const phone = newPhone()
  const id = await asking.order(phone)
  await whatsApp.settle()
  for (const text of ['Yes', 'Tomorrow']) {
    world.clock.advance(1_000)
    const { phoneNumberId } = asking
    whatsApp.simulator.sendText({ from: phone.slice(1), phoneNumberId, text })
    await whatsApp.settle()
  }
  const path = `/companies/${asking.companyId}/runs/${id}`
  const { body } = await member.ask<RunDetail>('GET', path)
  expect(body.replies.map(({ text }) => text)).toEqual(['Yes', 'Tomorrow'])
  expect(body.variables).toMatchObject({ answer: 'Yes', more: 'Tomorrow' })
})

test('A run is cancelled once, however often a cancellation is requested before it ends', async () => {
  const id = await shop.order(newPhone())
  for (let time = 0; time < 2; time += 1) {
    expect((await owner.ask('POST', `${runs}/${id}/cancel`)).status).toBe(204)
  }
  expect(await actionsOn(world, { subjectId: id })).toEqual(['run.cancelled'])
  await whatsApp.settle()
  expect(await detail(id)).toMatchObject({ endDetail: { code: 'run_cancelled_by_member' } })
})

test('The list of runs is filtered by flow, status, phone and time; an invalid id is refused', async () => {
  const phone = newPhone()
  const before = world.clock.now()
  world.clock.advance(60_000)
  const id = await shop.order(phone)
  const only = [{ id }]
  const ids = async (query: string) => (await list(query)).items.map((run) => ({ id: run.id }))
  expect(await ids(`?phone=${encodeURIComponent(phone)}`)).toEqual(only)
  expect(await ids(`?phone=${encodeURIComponent(`00${phone.slice(1)}`)}`)).toEqual(only)
  expect(await ids('?phone=nobody')).toEqual([])
  expect(await ids('?status=queued')).toEqual(only)
  expect(await ids(`?from=${world.clock.now().toISOString()}`)).toEqual(only)
  expect(await ids(`?to=${world.clock.now().toISOString()}`)).not.toContainEqual({ id })
  expect(await ids(`?from=${before.toISOString()}&flowId=${shop.flowId}`)).toContainEqual({ id })
  expect(await ids('?flowId=01890000-0000-7000-8000-000000000000')).toEqual([])
  for (const nobodys of ['01890000-0000-7000-8000-000000000000', 'nonsense']) {
    expect((await owner.ask('GET', `${runs}/${nobodys}`)).status).toBe(404)
  }
  for (const wrong of ['?status=lost', '?from=yesterday', '?flowId=x', '?limit=0']) {
    expect((await owner.ask('GET', `${runs}${wrong}`)).status).toBe(422)
  }
})

const flows = `/companies/${shop.companyId}/flows`
const draft = (start = 'tell') => orderDraft(shop, { start })

test('a draft that another member changed is not overwritten by one who has not seen the change', async () => {
  const made = await owner.ask<FlowDetail>('POST', flows, { name: 'Shared' })
  const path = `${flows}/${made.body.id}/draft`
  const seenAt = made.body.updatedAt
  world.clock.advance(1_000)
  const saved = await owner.ask<FlowDetail>('PUT', `${path}?seenAt=${seenAt}`, draft())
  expect(saved.status).toBe(200)
  const late = await owner.ask('PUT', `${path}?seenAt=${seenAt}`, draft('ask'))
  expect([late.status, late.body.code]).toEqual([409, 'stale'])
  const kept = await owner.ask<FlowDetail>('GET', `${flows}/${made.body.id}`)
  expect(kept.body.draft!.definition.start).toBe('tell')
  // A request that names no seen version is saved as usual.
  expect((await owner.ask('PUT', path, draft('ask'))).status).toBe(200)
  expect((await owner.ask('PUT', `${path}?seenAt=yesterday`, draft())).status).toBe(422)
})

test('a flow that was published, or switched off, since it was seen is not overwritten either', async () => {
  const made = await owner.ask<FlowDetail>('POST', flows, { name: 'Seen', draft: draft() })
  const path = `${flows}/${made.body.id}`
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
  const made = await owner.ask<FlowDetail>('POST', flows, { name: 'Copy', draft: draft() })
  expect(made.status).toBe(201)
  expect(made.body.draft).toMatchObject({ number: 1, definition: { start: 'tell' } })
  const path = `${flows}/${made.body.id}`
  const published = await owner.ask<PublishedFlow>('POST', `${path}/publish`)
  expect(published.status).toBe(200)
  await owner.ask('PUT', `${path}/draft`, draft('ask'))
  const items = await itemsOf<ListedVersion>(owner, `${path}/versions`)
  expect(items).toMatchObject([
    { number: 2, publishedAt: null, isPublishedNow: false },
    { number: 1, publishedAt: expect.any(String), isPublishedNow: true },
  ])
  const one = await owner.ask<FlowVersionView>('GET', `${path}/versions/1`)
  expect(one.body.definition.start).toBe('tell')
  for (const number of ['3', '0', '-1', '1e9', '99999999999']) {
    expect((await owner.ask('GET', `${path}/versions/${number}`)).status).toBe(404)
  }
  // The runs of a deleted flow still show what they did.
  expect((await owner.ask('DELETE', path)).status).toBe(204)
  expect((await owner.ask('GET', `${path}/versions`)).status).toBe(404)
  expect((await owner.ask('GET', `${path}/versions/1`)).status).toBe(200)
  const wrong = { ...draft(), channelId: '01890000-0000-7000-8000-000000000000' }
  const refused = await owner.ask('POST', flows, { name: 'Wrong', draft: wrong })
  expect(refused.status).toBe(422)
})

test('a test run starts any flow for one number, and an Agent starts none', async () => {
  const path = `${flows}/${shop.flowId}`
  const unsaid = { phone: '0501234567', variables: { order: '77' } }
  const refused = await owner.ask('POST', `${path}/test-runs`, unsaid)
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'phone' }] } })
  const input = { ...unsaid, country: 'SA' }
  expect((await owner.ask('POST', `${path}/runs`, input)).status).toBe(409)
  const started = await owner.ask<StartedRun>('POST', `${path}/test-runs`, input)
  expect(started.status).toBe(201)
  expect(await detail(started.body.id)).toMatchObject({
    triggerKind: 'manual',
    versionNumber: 1,
    variables: { order: '77' },
    contact: { phone: '+966501234567' },
  })
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  expect((await agent.ask('POST', `${path}/test-runs`, input)).status).toBe(403)
})

test('a key of a test run and the same key of a hook request belong to two runs, in either order', async () => {
  const path = `/companies/${shop.companyId}/flows/${shop.flowId}`
  const byHook = (key: string) => {
    const customer = { ...ORDER.customer, phone: newPhone() }
    return postHook(shop.hookUrl, { ...ORDER, customer }, { 'idempotency-key': key })
  }
  const byHand = (key: string) =>
    owner.ask<StartedRun>('POST', `${path}/test-runs`, { phone: newPhone(), variables: {}, key })
  expect(await byHand('hand-first')).toMatchObject({ status: 201 })
  expect(await byHook('hand-first')).toMatchObject({ http: 202, status: 'accepted' })
  expect(await byHook('hook-first')).toMatchObject({ http: 202, status: 'accepted' })
  expect(await byHand('hook-first')).toMatchObject({ status: 201 })
  expect(await byHook('hand-first')).toMatchObject({ http: 200, status: 'duplicate' })
  expect(await byHand('hook-first')).toMatchObject({ status: 200 })
})
