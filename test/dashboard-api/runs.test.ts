import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunDetail, RunView } from '../../src/contract/dashboard/run.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const runs = () => `/companies/${shop.companyId}/runs`
const list = async (query = '') => (await owner.ask<Page<RunView>>('GET', `${runs()}${query}`)).body
const detail = async (id: string) => (await owner.ask<RunDetail>('GET', `${runs()}/${id}`)).body

describe('The detail of a run', () => {
  test('tells its steps in order, what each sent and how far that came, and the replies', async () => {
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
    await world.database.db.kysely
      .updateTable('template')
      .set({ status: 'PAUSED' })
      .where('companyId', '=', shop.companyId)
      .execute()
    const id = await shop.order(newPhone())
    await whatsApp.settle()
    expect(await detail(id)).toMatchObject({
      status: 'failed',
      endReason: 'error',
      endDetail: { code: 'template_not_approved', params: { template: 'order_ready' } },
      steps: [{ stepId: 'tell', status: 'failed', message: null }],
    })
    await world.database.db.kysely
      .updateTable('template')
      .set({ status: 'APPROVED' })
      .where('companyId', '=', shop.companyId)
      .execute()
  })

  test('says why a run was skipped', async () => {
    const phone = newPhone()
    const id = await shop.order(phone)
    await world.database.db.kysely
      .updateTable('conversation')
      .set({ handledBy: 'staff' })
      .where('filedUnder', '=', phone.slice(1))
      .execute()
    await whatsApp.settle()
    expect(await detail(id)).toMatchObject({
      status: 'skipped',
      endReason: null,
      endDetail: { code: 'staff_handling' },
    })
  })

  test('of another company, or of no run, is not found', async () => {
    const other = await whatsApp.openShop()
    const id = await other.order(newPhone())
    for (const runId of [id, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
      expect((await owner.ask('GET', `${runs()}/${runId}`)).status).toBe(404)
    }
  })
})

systemTest(
  'A run shows all that the customer answered, in the order in which it came',
  async () => {
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
  },
)

test('A run is cancelled once, however often that is asked before it ends', async () => {
  const id = await shop.order(newPhone())
  for (let time = 0; time < 2; time += 1) {
    expect((await owner.ask('POST', `${runs()}/${id}/cancel`)).status).toBe(204)
  }
  const { kysely } = world.database.db
  const audited = kysely.selectFrom('audit').select('action').where('subjectId', '=', id)
  expect(await audited.execute()).toEqual([{ action: 'run.cancelled' }])
  await whatsApp.settle()
  expect(await detail(id)).toMatchObject({ endDetail: { code: 'run_cancelled_by_member' } })
})

describe('The list of runs', () => {
  test('has the newest first, page by page', async () => {
    const all = (await list('?limit=100')).items
    expect(all.length).toBeGreaterThan(2)
    expect(all.map(({ id }) => id)).toEqual(
      all.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1)),
    )
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      all.slice(0, 4).map(({ id }) => id),
    )
  })

  test('is narrowed by flow, status, phone and time', async () => {
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
    for (const wrong of ['?status=lost', '?from=yesterday', '?flowId=x', '?limit=0']) {
      expect((await owner.ask('GET', `${runs()}${wrong}`)).status).toBe(422)
    }
  })
})
