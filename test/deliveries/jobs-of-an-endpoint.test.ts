import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ResendJobDetail } from '../../src/contract/dashboard/resend-job.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { deliveriesOf, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
let shops = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shops += 1
  const phoneNumberId = `shop ${shops}`
  shop = await createShop(world, { phoneNumberId, businessAccountId: phoneNumberId })
  owner = await signedIn(world, { accountId: shop.accountId })
})

const company = () => `/companies/${shop.companyId}`
const endpoint = () => `${company()}/endpoints/${shop.endpointId}`
const create = (job: object) =>
  owner.ask<ResendJobDetail>('POST', `${company()}/resend-jobs`, {
    endpointId: shop.endpointId,
    ...job,
  })
const show = async (id: string) =>
  (await owner.ask<ResendJobDetail>('GET', `${company()}/resend-jobs/${id}`)).body

describe('Sending what was held', () => {
  test('lets a delivery go and also the resends of it that people asked for', async () => {
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
    const states = async () => (await deliveriesOf(world, shop)).map(({ state }) => state)
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
    await raisePings(world, shop, 3)
    await world.service.processAll()
    const { body: job } = await create({ kind: 'resend', pace: 1 })
    if (state === 'paused') await owner.ask('POST', `${company()}/resend-jobs/${job.id}/pause`)
    expect((await owner.ask('DELETE', endpoint())).status).toBe(204)
    expect(await show(job.id)).toMatchObject({
      state: 'cancelled',
      reason: { code: 'endpoint_deleted' },
      endedAt: expect.any(String),
    })
  })
})
