import { beforeEach, describe, expect, test } from 'vitest'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { ResendJobDetail } from '../../src/contract/dashboard/resend-job.ts'
import { RESEND_JOB } from '../../src/core/limits/deliveries.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import {
  addDeliveries,
  deliveriesOf,
  deliveryStatesOf,
  putDeliveries,
} from '../support/records/deliveries.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member
const world = await openWorld()

beforeEach(async () => {
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})

const company = () => `/companies/${shop.companyId}`
const endpoint = () => `${company()}/endpoints/${shop.endpointId}`
const create = (job: object) =>
  owner.ask<ResendJobDetail>('POST', `${company()}/resend-jobs`, {
    endpointId: shop.endpointId,
    ...job,
  })
/** Makes a job that resends that number of delivered deliveries. */
async function createFor(count: number, job: object = {}) {
  await raisePings(world, shop, count)
  await world.service.processAll()
  return (await create({ kind: 'resend', ...job })).body
}
const show = async (id: string) =>
  (await owner.ask<ResendJobDetail>('GET', `${company()}/resend-jobs/${id}`)).body

describe('Sending what was held', () => {
  test('releases a delivery and also the resends of it that members requested', async () => {
    world.receiver.answerWith(500)
    await raisePings(world, shop, 1)
    await world.service.processAll()
    const [source] = await deliveriesOf(world, shop)
    for (let asked = 0; asked < 2; asked += 1) {
      const path = `${company()}/deliveries/${source!.id}/resend`
      expect((await owner.ask('POST', path)).status).toBe(201)
    }
    await owner.ask('POST', `${endpoint()}/switch-off`)
    await world.service.processAll()
    const states = () => deliveryStatesOf(world, shop)
    expect(await states()).toEqual(['held', 'held', 'held'])
    world.receiver.answerWith(204)
    await owner.ask('POST', `${endpoint()}/switch-on`)
    const { body: job } = await create({ kind: 'held' })
    world.clock.advance(SECOND_MS)
    await world.service.processAll()
    expect(await show(job.id)).toMatchObject({
      state: 'done',
      made: 3,
      delivered: { count: 3 },
      left: { count: 0 },
    })
    expect(await states()).not.toContain('held')
  })
})

describe('Deleting an endpoint', () => {
  test.each(['running', 'paused'])('cancels its job that is %s', async (state) => {
    const job = await createFor(3, { pace: 1 })
    if (state === 'paused') await owner.ask('POST', `${company()}/resend-jobs/${job.id}/pause`)
    expect((await owner.ask('DELETE', endpoint())).status).toBe(204)
    expect(await show(job.id)).toMatchObject({
      state: 'cancelled',
      reason: { code: 'endpoint_deleted' },
      endedAt: expect.any(String),
    })
  })
})

describe('A job of resends', () => {
  test('stays paused when it is paused again, and can be cancelled; then a new one can be made', async () => {
    const job = await createFor(1)
    const order = (what: string) =>
      owner.ask<ResendJobDetail>('POST', `${company()}/resend-jobs/${job.id}/${what}`)
    for (const _ of [1, 2]) expect((await order('pause')).body.state).toBe('paused')
    expect((await create({ kind: 'resend' })).status).toBe(409)
    expect((await order('cancel')).body.state).toBe('cancelled')
    expect((await create({ kind: 'resend' })).status).toBe(201)
  })

  systemTest('continues without a pause past any number of rows that do not match', async () => {
    const expired = Array.from({ length: RESEND_JOB.scannedRows }, () => 'expired')
    await addDeliveries(world, shop, expired)
    world.clock.advance(SECOND_MS)
    const job = await createFor(1, { filter: { statusClass: 2 } })
    await world.service.processAll()
    expect(await show(job.id)).toMatchObject({ state: 'done', made: 1 })
  })
})

describe('A job that has ended', () => {
  test('keeps its end when its endpoint is deleted', async () => {
    const job = await createFor(1)
    await world.service.processAll()
    const over = await show(job.id)
    expect(over).toMatchObject({ state: 'done', reason: null })
    world.clock.advance(SECOND_MS)
    expect((await owner.ask('DELETE', endpoint())).status).toBe(204)
    expect(await show(job.id)).toEqual(over)
  })

  systemTest('shows its deliveries: delivered, given up or in flight', async () => {
    world.receiver.answerWith(204)
    const job = await createFor(7)
    await world.service.processAll()
    expect(await show(job.id)).toMatchObject({ delivered: { count: 7 }, underWay: { count: 0 } })
    const states = ['superseded', 'dead_lettered', 'cancelled', 'expired', 'held', 'delivered']
    const made = (await deliveriesOf(world, shop)).filter(({ jobId }) => jobId === job.id)
    for (const [at, state] of states.entries()) {
      await putDeliveries(world, [made[at]!.id], { state })
    }
    expect(await show(job.id)).toMatchObject({
      delivered: { count: 3, isAtLeast: false },
      failed: { count: 3, isAtLeast: false },
      underWay: { count: 1, isAtLeast: false },
    })
  })
})

describe('The list of jobs', () => {
  test('comes in pages, the newest first, of all endpoints or of one', async () => {
    const otherId = await addEndpoint(world, shop)
    const made: string[] = []
    for (const endpointId of [shop.endpointId, otherId, shop.endpointId]) {
      made.push((await create({ kind: 'resend', endpointId })).body.id)
      await world.service.processAll()
    }
    const [first, second, third] = made
    const list = async (query: string) => {
      const { body } = await owner.ask<Page<ResendJobDetail>>(
        'GET',
        `${company()}/resend-jobs?${query}`,
      )
      return { ids: body.items.map(({ id }) => id), next: body.nextCursor }
    }
    const page = await list('limit=2')
    expect(page.ids).toEqual([third, second])
    expect(await list(`limit=2&cursor=${page.next}`)).toEqual({ ids: [first], next: null })
    expect((await list(`endpointId=${shop.endpointId}`)).ids).toEqual([third, first])
  })
})
