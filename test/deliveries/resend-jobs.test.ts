import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import type { JobCount, ResendJobDetail } from '../../src/contract/dashboard/resend-job.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { processDuePages } from '../../src/infra/database/queues/pages.ts'
import { RESEND_JOBS } from '../../src/modules/deliveries/step-resend-jobs.ts'
import { setPlan } from '../support/records/accounts.ts'
import { auditLog } from '../support/records/audit.ts'
import { deliveriesOf, deliveryStatesOf, putDeliveries } from '../support/records/deliveries.ts'
import { markDeleted } from '../support/records/endpoints.ts'
import { loseBody } from '../support/records/events.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member
const world = await openWorld()

beforeEach(async () => {
  world.receiver.answerWith(204)
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})

const kysely = () => world.database.db.kysely
const jobs = () => `/companies/${shop.companyId}/resend-jobs`
const jobOf = (job: object) => ({ kind: 'resend', endpointId: shop.endpointId, ...job })
const create = (job: object = {}) => owner.ask<ResendJobDetail>('POST', jobs(), jobOf(job))
const preview = (job: object = {}) => owner.ask<JobCount>('POST', `${jobs()}/preview`, jobOf(job))
const show = async (id: string) => (await owner.ask<ResendJobDetail>('GET', `${jobs()}/${id}`)).body
const order = (id: string, what: 'pause' | 'resume' | 'cancel') =>
  owner.ask<ResendJobDetail>('POST', `${jobs()}/${id}/${what}`)

async function processFor(ms: number) {
  world.clock.advance(ms)
  await world.service.processAll()
}

/** Adds ended deliveries to the log: as many as requested, all of them in one state. */
async function logged(count: number, state = 'dead_lettered') {
  await raisePings(world, shop, count)
  const ids = (await deliveriesOf(world, shop, { state: 'pending' })).map(({ id }) => id)
  const over = { dueAt: null, queue: null, lastError: 'timeout', endedAt: world.clock.now() }
  await putDeliveries(world, ids, { ...over, state })
}

const setOn = (isOn: boolean) =>
  owner.ask(
    'POST',
    `/companies/${shop.companyId}/endpoints/${shop.endpointId}/switch-${isOn ? 'on' : 'off'}`,
  )

const resends = async () =>
  (await deliveriesOf(world, shop)).filter(({ kind }) => kind === 'resend')

describe('Resending the deliveries of a filter', () => {
  test('makes a new delivery of each, the oldest first, at its rate, and shows its progress', async () => {
    await logged(7)
    await logged(2, 'cancelled')
    const filter = { state: 'dead_lettered' }
    expect((await preview({ filter })).body).toEqual({ count: 7, isAtLeast: false })
    const { status, body: job } = await create({ filter, pace: 3 })
    expect(status).toBe(201)
    expect(job).toMatchObject({
      state: 'running',
      matched: { count: 7, isAtLeast: false },
      made: 0,
      left: { count: 7 },
    })
    await world.service.processAll()
    expect(await show(job.id)).toMatchObject({
      made: 3,
      delivered: { count: 3 },
      left: { count: 4 },
    })
    await processFor(SECOND_MS - 1)
    expect((await resends()).length).toBe(3)
    await processFor(1)
    expect((await resends()).length).toBe(6)
    await processFor(SECOND_MS)
    expect(await show(job.id)).toMatchObject({
      state: 'done',
      made: 7,
      passedOver: 0,
      delivered: { count: 7 },
      failed: { count: 0 },
      left: { count: 0, isAtLeast: false },
      endedAt: expect.any(String),
    })
    const log = await deliveriesOf(world, shop)
    const sources = log.filter(({ state }) => state === 'dead_lettered').map(({ id }) => id)
    expect((await resends()).map(({ resendOf }) => resendOf).toSorted()).toEqual(sources)
    expect((await resends()).every(({ jobId }) => jobId === job.id)).toBe(true)
  })

  test('finds by cause, time and type, and skips waiting deliveries, tests and resends', async () => {
    await logged(2)
    world.clock.advance(SECOND_MS)
    const middle = world.clock.now().toISOString()
    await logged(3, 'expired')
    await raisePings(world, shop, 1)
    const count = async (filter: object) => (await preview({ filter })).body.count
    expect(await count({})).toBe(5)
    expect(await count({ from: middle })).toBe(3)
    expect(await count({ to: middle })).toBe(2)
    expect(await count({ error: 'timeout', type: 'ping' })).toBe(5)
    expect(await count({ error: 'dns_failed' })).toBe(0)
    expect(await count({ type: 'flow.failed' })).toBe(0)
    await world.service.processAll()
    await create({ filter: { state: 'expired' } })
    await world.service.processAll()
    // The delivery made meanwhile has ended; the three resends do not match again.
    expect(await count({})).toBe(6)
  })

  test('skips deliveries without a body, and counts them over all pages', async () => {
    await logged(3)
    const sources = await deliveriesOf(world, shop)
    for (const { eventId } of [sources[0]!, sources[2]!]) await loseBody(world, eventId)
    const { body: job } = await create({ pace: 1 })
    for (let step = 0; step < 3; step += 1) await processFor(SECOND_MS)
    expect(await show(job.id)).toMatchObject({ state: 'done', made: 1, passedOver: 2 })
  })

  systemTest('can be paused, resumed and cancelled', async () => {
    await logged(9)
    const { body: job } = await create({ pace: 2 })
    await world.service.processAll()
    expect((await order(job.id, 'pause')).body).toMatchObject({
      state: 'paused',
      reason: { code: 'by_member' },
    })
    await processFor(10 * SECOND_MS)
    expect((await show(job.id)).made).toBe(2)
    expect((await order(job.id, 'resume')).body).toMatchObject({ state: 'running', reason: null })
    await world.service.processAll()
    expect((await show(job.id)).made).toBe(4)
    expect((await order(job.id, 'cancel')).body.state).toBe('cancelled')
    await processFor(10 * SECOND_MS)
    expect((await show(job.id)).made).toBe(4)
    expect((await order(job.id, 'resume')).status).toBe(409)
    const actions = await auditLog(world, { subjectId: job.id })
    expect(actions.map(({ action }) => action)).toEqual([
      'resend_job.created',
      'resend_job.paused',
      'resend_job.resumed',
      'resend_job.cancelled',
    ])
  })

  test('is one at a time for an endpoint', async () => {
    await logged(1)
    const both = await Promise.all([create(), create()])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    await world.service.processAll()
    expect((await create()).status).toBe(201)
  })

  test('refuses an impossible conversation id', async () => {
    const refused = await preview({ filter: { conversationId: 'a\0b' } })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'filter.conversationId' }] },
    })
  })

  test('pauses when the endpoint is switched off or the plan changes, and says so', async () => {
    await logged(9)
    const { body: job } = await create({ pace: 1 })
    await world.service.processAll()
    await setOn(false)
    await processFor(SECOND_MS)
    expect(await show(job.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'endpoint_off', message: { text: expect.stringContaining('Switch it on') } },
      made: 1,
    })
    expect((await order(job.id, 'resume')).status).toBe(409)
    await setOn(true)
    await order(job.id, 'resume')
    await setPlan(world, shop, 'pro')
    await processFor(SECOND_MS)
    expect((await show(job.id)).reason!.code).toBe('not_in_plan')
    expect((await order(job.id, 'resume')).body).toMatchObject({ code: 'not_in_plan' })
    await setPlan(world, shop, 'business')
    await order(job.id, 'resume')
    await markDeleted(world, shop)
    await processFor(SECOND_MS)
    expect(await show(job.id)).toMatchObject({
      state: 'cancelled',
      reason: { code: 'endpoint_deleted' },
    })
  })

  systemTest('counts as one of ten tests and resends a minute', async () => {
    for (let made = 0; made < 10; made += 1) {
      expect((await create()).status).toBe(201)
      await world.service.processAll()
    }
    expect(await create()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    world.clock.advance(MINUTE_MS)
    expect((await create()).status).toBe(201)
  })

  test('has a rate from 1 to 50 a second, 10 by default', async () => {
    expect((await create()).body.pace).toBe(10)
    for (const pace of [0, 51, 1.5]) expect((await create({ pace })).status).toBe(422)
  })

  test('by two nodes, one of which dies in a page, resends each delivery once', async () => {
    await logged(40)
    const { body: job } = await create({ pace: 10 })
    const { context } = world.service
    // A node that is killed in a step: its transaction is rolled back.
    const killed = kysely()
      .transaction()
      .execute(async (tx) => {
        await tx.selectFrom('resendJob').selectAll().where('id', '=', job.id).forUpdate().execute()
        await processDuePages(context, RESEND_JOBS)
        throw new Error('killed')
      })
    await expect(killed).rejects.toThrow('killed')
    expect((await show(job.id)).made).toBe(0)
    for (let second = 0; second < 5; second += 1) {
      await Promise.all([
        processDuePages(context, RESEND_JOBS),
        processDuePages(context, RESEND_JOBS),
        processDuePages(context, RESEND_JOBS),
      ])
      world.clock.advance(SECOND_MS)
    }
    expect(await show(job.id)).toMatchObject({ state: 'done', made: 40 })
    const sources = (await resends()).map(({ resendOf }) => resendOf)
    expect(new Set(sources).size).toBe(40)
    // A page that is processed again makes nothing.
    await kysely()
      .updateTable('resendJob')
      .set({
        state: 'running',
        dueAt: world.clock.now(),
        endedAt: null,
        position: '00000000-0000-0000-0000-000000000000',
      })
      .where('id', '=', job.id)
      .execute()
    await processDuePages(context, RESEND_JOBS)
    expect(await resends()).toHaveLength(40)
  })

  test('is listed, for this company alone, and is for Owner and Admin', async () => {
    const { body: job } = await create()
    const list = await owner.ask<Page<ResendJobDetail>>('GET', jobs())
    expect(list.body.items.map(({ id }) => id)).toEqual([job.id])
    const stranger = await createOwnShop(world)
    const member = await signedIn(world, { accountId: stranger.accountId })
    const elsewhere = `/companies/${stranger.companyId}/resend-jobs`
    expect((await member.ask<Page<unknown>>('GET', elsewhere)).body.items).toEqual([])
    expect((await member.ask('GET', `${elsewhere}/${job.id}`)).status).toBe(404)
    expect((await member.ask('POST', `${elsewhere}/${job.id}/cancel`)).status).toBe(404)
    const body = jobOf({})
    expect((await member.ask('POST', elsewhere, body)).status).toBe(404)
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await agent.ask('GET', jobs())).status).toBe(403)
    expect((await agent.ask('POST', jobs(), body)).status).toBe(403)
  })

  systemTest('disappears from the list 30 days after it ended', async () => {
    const { body: job } = await create()
    await world.service.processAll()
    world.clock.advance(31 * DAY_MS)
    await world.service.sweep()
    owner = await signedIn(world, { accountId: shop.accountId })
    expect((await owner.ask('GET', `${jobs()}/${job.id}`)).status).toBe(404)
  })
})

describe('Sending what was held', () => {
  test('sends held deliveries at the rate, the oldest first; switching on alone sends nothing', async () => {
    await setOn(false)
    await raisePings(world, shop, 5)
    await world.service.processAll()
    const held = { kind: 'held', filter: undefined }
    expect((await preview(held)).status).toBe(409)
    await setOn(true)
    await processFor(MINUTE_MS)
    const states = () => deliveryStatesOf(world, shop)
    expect(await states()).toEqual(Array.from({ length: 5 }, () => 'held'))
    expect((await preview(held)).body).toEqual({ count: 5, isAtLeast: false })
    const { body: job } = await create({ ...held, pace: 2 })
    await world.service.processAll()
    expect(await states()).toEqual(['delivered', 'delivered', 'held', 'held', 'held'])
    expect(await show(job.id)).toMatchObject({
      kind: 'held',
      made: 2,
      delivered: { count: 2 },
      left: { count: 3 },
    })
    await processFor(SECOND_MS)
    await processFor(SECOND_MS)
    expect(await states()).toEqual(Array.from({ length: 5 }, () => 'delivered'))
    expect(await show(job.id)).toMatchObject({ state: 'done', made: 5, delivered: { count: 5 } })
    const found = await owner.ask<DeliveryPage>('GET', `/companies/${shop.companyId}/deliveries`)
    expect(found.body.items.every(({ jobId, kind }) => jobId === job.id && kind === 'event')).toBe(
      true,
    )
  })

  test('leaves out a delivery that is held after the job was made', async () => {
    await setOn(false)
    await raisePings(world, shop, 1)
    await world.service.processAll()
    await setOn(true)
    const { body: job } = await create({ kind: 'held', filter: undefined, pace: 1 })
    world.clock.advance(SECOND_MS)
    await setOn(false)
    await raisePings(world, shop, 1)
    await setOn(true)
    await processFor(SECOND_MS)
    await processFor(SECOND_MS)
    expect(await show(job.id)).toMatchObject({ state: 'done', made: 1 })
    expect(await deliveryStatesOf(world, shop)).toEqual(['delivered', 'held'])
  })
})
