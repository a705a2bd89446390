/** Sends that a pause or an end takes back, and their retries. Spec: Broadcasts › Sending. */
import { beforeEach, describe, expect, test } from 'vitest'
import { reactToFailures } from '../../src/modules/broadcasts/react-to-failures.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { renewRefusedSends } from '../../src/modules/messaging/claim-sends.sql.ts'
import { settleSend } from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { messagesOf, setMessageStatus } from '../support/records/messages.ts'
import { claimMessage } from '../support/records/outbox.ts'
import { holdLock } from '../support/records/locks.ts'
import { broadcastOf, skipRecipients } from '../support/records/broadcasts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, pausedBy, type Broadcasts } from '../support/broadcasts.ts'
import { postChanges, receipt } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let news: Broadcasts
const tag = 'vip'
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  news = await openBroadcasts(world, whatsApp)
})

/** Queues the retries that are due. Returns their number. */
const renew = () => renewRefusedSends(world.database.db.kysely, world.clock.now())
const messages = () => messagesOf(world, { companyId: news.shop.companyId })

describe('A recipient refused by the provider for now', () => {
  /** Starts a broadcast to a recipient that the provider refuses each time, and waits for the first try. */
  const refusedOnce = () => news.beginTo(['+966551131056'])

  systemTest('waits again after a pause, with as many tries in all as any message', async () => {
    const id = await refusedOnce()
    expect(await messages()).toMatchObject([{ status: 'failed', attempt: 1 }])
    await news.does(id, 'pause')
    expect(await news.recipients(id)).toMatchObject([{ state: 'pending', messageId: null }])
    await news.pass(20)
    expect(await messages()).toHaveLength(1)
    await news.does(id, 'resume')
    for (const _ of [1, 2, 3]) {
      await whatsApp.settle()
      world.clock.advance(15 * 60_000)
    }
    expect(await news.finish(id)).toMatchObject({ state: 'done', counts: { failed: 1 } })
    const tries = await messages()
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(tries.map(({ sendKey }) => sendKey)).size).toBe(1)
  })

  systemTest('is taken back from a retry that has not begun, and the rest goes on', async () => {
    const id = await refusedOnce()
    world.clock.advance(6_000)
    expect(await renew()).toBe(1)
    await news.does(id, 'pause')
    expect(await news.recipients(id)).toMatchObject([{ state: 'pending' }])
    expect((await messages()).map(({ status }) => status)).toEqual(['failed', 'cancelled'])
    await news.does(id, 'resume')
    await whatsApp.settle()
    expect((await messages()).at(-1)).toMatchObject({ attempt: 3, broadcastId: id })
  })

  test('keeps the broadcast open for a retry, even one queued while its progress is checked', async () => {
    const id = await refusedOnce()
    world.clock.advance(6_000)
    // The step waits for the templates after it has read that no send waits.
    await using templates = await holdLock(world, 'the templates')
    const stepped = news.enqueue()
    await templates.blocks('the step to come to the templates')
    expect(await renew()).toBe(1)
    await templates.release()
    await stepped
    expect(await news.show(id)).toMatchObject({ state: 'sending' })
    await whatsApp.settle()
    expect(await messages()).toMatchObject([
      { attempt: 1, dueAt: null },
      { attempt: 2, status: 'failed', dueAt: expect.any(Date) },
    ])
  })

  test.each(['pause', 'cancel'])(
    'is taken back by a %s that comes while the retry is being queued',
    async (what) => {
      const id = await refusedOnce()
      world.clock.advance(6_000)
      // The retry is written but not committed, so its recipient does not refer to it yet.
      await using recipients = await holdLock(world, { recipientsOf: id })
      const renewed = renew()
      await recipients.blocks('the further try to be queued')
      const asked = news.does(id, what)
      await recipients.blocks('it to wait behind', 2)
      await recipients.release()
      expect(await renewed).toBe(1)
      expect((await asked).status).toBe(200)
      expect((await messages()).map(({ status }) => status)).toEqual(['failed', 'cancelled'])
      expect(await news.recipients(id)).toMatchObject([{ state: 'pending', messageId: null }])
    },
  )

  test('counts as reached if the first try went out after all, and the retry is not made', async () => {
    const id = await refusedOnce()
    world.clock.advance(6_000)
    expect(await renew()).toBe(1)
    // A receipt with the service's reference would set this status.
    const [first] = await messages()
    await setMessageStatus(world, { id: first!.id }, 'sent')
    expect(await news.finish(id)).toMatchObject({ state: 'done', counts: { sent: 1 } })
    expect(await news.recipients(id)).toMatchObject([{ state: 'sent' }])
    const again = await news.draft(tag, { audience: { kind: 'failed_of', broadcastId: id } })
    expect(await news.check(again.id)).toMatchObject({ contacts: 0 })
  })

  systemTest('is not one of the failed until no try is left', async () => {
    const id = await refusedOnce()
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

systemTest('a send in flight at a cancel goes out, and is not retried', async () => {
  const id = await news.startTo(1)
  await news.enqueue()
  const [message] = await messages()
  const { db, ids, clock } = world.service.context
  await claimMessage(world, message!.id)
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

systemTest(
  'the counts of a paused or cancelled broadcast still follow the outcome of each send',
  async () => {
    const id = await news.startTo(12)
    await news.enqueue()
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
  },
)

systemTest('waiting recipients behind a page of finished ones get their message', async () => {
  const phones = await news.contacts(5_010, tag)
  const id = await news.start(tag, { perSecond: 50 })
  await news.enqueue()
  await news.does(id, 'pause')
  await skipRecipients(world, id, 5_005)
  await news.does(id, 'resume')
  expect(await news.finish(id)).toMatchObject({ state: 'done', total: 5_010 })
  expect(news.reached().toSorted()).toEqual(phones.slice(-5).toSorted())
})

systemTest('the counts follow the receipts for three days after the end', async () => {
  const id = await news.startTo(1)
  await news.finish(id)
  // The session expires by then, so the test reads the counts directly.
  const counts = async () => (await broadcastOf(world, id)).counts
  world.clock.advance(2 * DAY_MS)
  await whatsApp.settle()
  expect(await counts()).toEqual({ delivered: 1 })
  await setMessageStatus(world, { broadcastId: id }, 'read')
  world.clock.advance(2 * DAY_MS)
  await whatsApp.settle()
  expect(await counts()).toEqual({ read: 1 })
})

systemTest(
  'failures that are not in a row do not pause a broadcast, however many they are',
  async () => {
    const failing = (from: number) =>
      Array.from({ length: 45 }, (_, nth) => `+9665${from + nth}131030`)
    const id = await news.startTo([...failing(10), '+966501234567', ...failing(55)], {
      perSecond: 50,
    })
    expect(await news.finish(id)).toMatchObject({ state: 'done', counts: { failed: 90 } })
  },
)

test('a skipped recipient does not wait again with those taken back', async () => {
  await news.contact({ tags: [tag] })
  await news.contact({ phone: null, email: 'a@x.example', tags: [tag] })
  await news.contact({ tags: [tag] })
  const id = await news.start(tag)
  await news.enqueue()
  await news.does(id, 'pause')
  const states = (await news.recipients(id)).map(({ state }) => state)
  expect(states).toEqual(['pending', 'skipped', 'pending'])
  expect(await news.recipients(id, 'state=pending')).toHaveLength(2)
})

test.each(['auth', 'billing', 'blocked'] as const)(
  'a broadcast pauses once the provider refuses everything from the number: %s',
  async (kind) => {
    const id = await news.startTo(12)
    await news.enqueue()
    const [first] = await messages()
    const messageId = first!.id
    const { db, clock } = world.service.context
    const error = { code: '368', class: kind, message: 'No more of you' }
    await transaction(db, (tx) => reactToFailures(tx, clock.now(), [{ messageId, error }]))
    expect(await news.show(id)).toMatchObject(pausedBy('broadcast_refused'))
    // A pause by a member keeps the reason.
    expect((await news.does(id, 'pause')).body).toMatchObject({
      reason: { code: 'broadcast_refused' },
    })
    await whatsApp.settle()
    expect(news.sent()).toEqual([])
  },
)

systemTest('a failure that the provider reports again does not pause it again', async () => {
  const id = await news.startTo(['+966551131042', '+966551000001', '+966551000002'], {
    perSecond: 1,
  })
  expect(await news.finish(id)).toMatchObject({ state: 'paused' })
  await news.does(id, 'resume')
  const sent = await messagesOf(world, { broadcastId: id })
  const failed = sent.find(({ status }) => status === 'failed')
  const again = { id: failed!.providerMessageId, status: 'failed', errors: [{ code: 131_042 }] }
  await postChanges(world, news.shop, receipt(again))
  expect(await news.finish(id)).toMatchObject({ state: 'done', counts: { failed: 1 } })
})

systemTest('with a slow provider, only a limited number of sends is queued at a time', async () => {
  const id = await news.startTo(60, { perSecond: 10 })
  for (let half = 0; half < 12; half += 1) {
    await news.enqueue()
    world.clock.advance(500)
  }
  expect((await news.recipients(id, 'state=queued')).length).toBe(20)
  await news.does(id, 'cancel')
})

test('failed recipients can be sent to again once the broadcast has ended, and not before', async () => {
  await news.contacts(['+966551131030', '+966551000009'], tag)
  const done = await news.start(tag, { perSecond: 1 })
  await news.enqueue()
  await news.pass(0.5)
  expect(await news.recipients(done, 'state=failed')).toHaveLength(1)
  expect(await news.show(done)).toMatchObject({ state: 'sending' })
  const expected = { status: 409, body: { code: 'conflict' } }
  expect(await news.does(done, 'send-failed-again')).toMatchObject(expected)
  await news.finish(done)
  expect((await news.does(done, 'send-failed-again')).status).toBe(201)
})
