/** What a pause or an end takes back, and what of it is tried again. Spec: Broadcasts › Sending. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { renewRefusedSends } from '../../src/messaging/claim-sends.sql.ts'
import { settleSend } from '../../src/messaging/settle-sends.sql.ts'
import { countBlockedBy, pidOf, waitUntilBlocked } from '../support/blocked.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { createWorld, type World } from '../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let news: Broadcasts
const tag = 'vip'
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
beforeEach(async () => {
  news = await openBroadcasts(world, whatsApp)
})

const kysely = () => world.database.db.kysely
const messages = () =>
  kysely()
    .selectFrom('message')
    .select(['id', 'status', 'attempt', 'broadcastId', 'sendKey', 'dueAt'])
    .where('companyId', '=', news.shop.companyId)
    .orderBy('attempt')
    .execute()

describe('Whom the provider refused for now', () => {
  const patient = '+966551131056'

  test('waits again after a pause, and the tries of all together are as many as of any message', async () => {
    await news.contacts([patient], tag)
    const id = await news.start(tag)
    await whatsApp.settle()
    expect(await messages()).toMatchObject([{ status: 'failed', attempt: 1 }])
    await news.does(id, 'pause')
    expect(await news.recipients(id)).toMatchObject([{ state: 'pending', messageId: null }])
    await news.pass(20)
    expect(await messages()).toHaveLength(1)
    await news.does(id, 'resume')
    await whatsApp.settle()
    world.clock.advance(15 * 60_000)
    await whatsApp.settle()
    world.clock.advance(15 * 60_000)
    await whatsApp.settle()
    world.clock.advance(15 * 60_000)
    expect(await news.finish(id)).toMatchObject({ state: 'done', counts: { failed: 1 } })
    const tries = await messages()
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(tries.map(({ sendKey }) => sendKey)).size).toBe(1)
  })

  test('is taken back from a further try that nobody has begun, and the broadcast goes on', async () => {
    await news.contacts([patient], tag)
    const id = await news.start(tag)
    await whatsApp.settle()
    world.clock.advance(6_000)
    expect(await renewRefusedSends(kysely(), world.clock.now())).toBe(1)
    await news.does(id, 'pause')
    expect(await news.recipients(id)).toMatchObject([{ state: 'pending' }])
    expect((await messages()).map(({ status }) => status)).toEqual(['failed', 'cancelled'])
    await news.does(id, 'resume')
    await whatsApp.settle()
    expect((await messages()).at(-1)).toMatchObject({ attempt: 3, broadcastId: id })
  })

  test('has the broadcast wait for the further try, even one that is queued while its progress is looked at', async () => {
    await news.contacts([patient], tag)
    const id = await news.start(tag)
    await whatsApp.settle()
    world.clock.advance(6_000)
    const now = world.clock.now()
    const { pool } = world.database.db
    const gate = await pool.connect()
    // Where the step stands before the templates, it has read that nothing waits.
    await gate.query('begin; lock table template in access exclusive mode')
    const stepped = news.handOver()
    await waitUntilBlocked('the step to come to the templates', pool, gate)
    expect(await renewRefusedSends(kysely(), now)).toBe(1)
    await gate.query('commit')
    gate.release()
    await stepped
    expect(await news.show(id)).toMatchObject({ state: 'sending' })
    await whatsApp.settle()
    expect(await messages()).toMatchObject([
      { attempt: 1, dueAt: null },
      { attempt: 2, status: 'failed', dueAt: expect.any(Date) },
    ])
  })

  test.each(['pause', 'cancel'])(
    'is taken back by a %s that comes while the further try is being queued',
    async (what) => {
      await news.contacts([patient], tag)
      const id = await news.start(tag)
      await whatsApp.settle()
      world.clock.advance(6_000)
      const { pool } = world.database.db
      const gate = await pool.connect()
      await gate.query('begin')
      // The further try is written, and not committed: its recipient is not given it yet.
      await gate.query('select from broadcast_recipient where broadcast_id = $1 for update', [id])
      const renewed = renewRefusedSends(kysely(), world.clock.now())
      await waitUntilBlocked('the further try to be queued', pool, gate)
      const asked = news.does(id, what)
      const pid = await pidOf(gate)
      await waitUntil('it to wait behind', async () => (await countBlockedBy(pool, pid)) === 2)
      await gate.query('commit')
      gate.release()
      expect(await renewed).toBe(1)
      expect((await asked).status).toBe(200)
      expect((await messages()).map(({ status }) => status)).toEqual(['failed', 'cancelled'])
      expect(await news.recipients(id)).toMatchObject([{ state: 'pending', messageId: null }])
    },
  )

  test('is one whom it reached where the first try turns out to have gone out, and the further one is not made', async () => {
    await news.contacts([patient], tag)
    const id = await news.start(tag)
    await whatsApp.settle()
    world.clock.advance(6_000)
    expect(await renewRefusedSends(kysely(), world.clock.now())).toBe(1)
    // As a receipt says that names our reference.
    await kysely()
      .updateTable('message')
      .set({ status: 'sent' })
      .where('companyId', '=', news.shop.companyId)
      .where('attempt', '=', 1)
      .execute()
    expect(await news.finish(id)).toMatchObject({ state: 'done', counts: { sent: 1 } })
    expect(await news.recipients(id)).toMatchObject([{ state: 'sent' }])
    const again = await news.draft(tag, { audience: { kind: 'failed_of', broadcastId: id } })
    expect(await news.check(again.id)).toMatchObject({ contacts: 0 })
  })

  test('is none whom it failed to reach, until no try is left', async () => {
    await news.contacts([patient], tag)
    const id = await news.start(tag)
    await whatsApp.settle()
    const again = await news.draft(tag, { audience: { kind: 'failed_of', broadcastId: id } })
    expect(await news.check(again.id)).toMatchObject({ problems: [], contacts: 0 })
    for (let tries = 1; tries < 5; tries += 1) {
      world.clock.advance(15 * 60_000)
      await whatsApp.settle()
    }
    await news.finish(id)
    expect(await news.check(again.id)).toMatchObject({ contacts: 1 })
  })
})

test('what is under way at a cancel goes out; refused for now, it is not tried again', async () => {
  await news.contacts(1, tag)
  const id = await news.start(tag)
  await news.handOver()
  const [message] = await messages()
  const { db, ids, clock } = world.service.context
  const claimId = ids.uuid()
  await kysely()
    .updateTable('message')
    .set({ status: 'sending', claimId, claimedUntil: new Date(clock.now().getTime() + 60_000) })
    .where('id', '=', message!.id)
    .execute()
  await news.does(id, 'cancel')
  const error = { code: '131056', class: 'rate', message: 'later' } as const
  await settleSend(db, {
    id: message!.id,
    runId: null,
    result: { outcome: 'refused', error },
    againAt: new Date(clock.now().getTime() + 5_000),
    runClaimId: ids.uuid(),
    now: clock.now(),
  })
  await news.pass(20)
  expect(await messages()).toMatchObject([{ status: 'failed', dueAt: null, broadcastId: id }])
  expect(news.sent()).toEqual([])
  expect((await news.show(id)).counts).toEqual({ failed: 1 })
})

test('the counts of one that is paused or cancelled go on to say what became of each', async () => {
  await news.contacts(12, tag)
  const id = await news.start(tag)
  await news.handOver()
  expect((await news.show(id)).counts).toMatchObject({ queued: 5 })
  await news.does(id, 'pause')
  await whatsApp.settle()
  expect((await news.show(id)).counts).toEqual({ pending: 12 })
  await news.does(id, 'resume')
  await whatsApp.settle()
  const sent = news.sent().length
  expect(sent).toBeGreaterThan(0)
  await news.does(id, 'cancel')
  await whatsApp.settle()
  world.clock.advance(15_000)
  await whatsApp.settle()
  expect((await news.show(id)).counts).toEqual({ pending: 12 - sent, delivered: sent })
})

test('those who wait behind a page of others who are done have their turn', async () => {
  const phones = await news.contacts(5_010, tag)
  const id = await news.start(tag, { perSecond: 50 })
  await news.handOver()
  await news.does(id, 'pause')
  await kysely()
    .updateTable('broadcastRecipient')
    .set({ skipReason: 'no_number' })
    .where('broadcastId', '=', id)
    .where('number', '<=', 5_005)
    .execute()
  await news.does(id, 'resume')
  expect(await news.finish(id)).toMatchObject({ state: 'done', total: 5_010 })
  expect(
    news
      .sent()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(phones.slice(-5).toSorted())
})
