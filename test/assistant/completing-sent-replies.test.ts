/** Replies whose last part the provider accepted end together, even after an interruption. */
import { beforeEach, expect, test } from 'vitest'
import { endSentReplies } from '../../src/modules/assistant/record-reply-outcome.sql.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { REPLY_WORK } from '../../src/core/limits/replies.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { heardBy, openAssisted, type Customer } from '../support/assistant.ts'
import {
  cancelReplies,
  leaveSending,
  repeatReply,
  replyOf,
  type ReplyRecord,
} from '../support/records/assistant.ts'
import { holdLock } from '../support/records/locks.ts'
import { addMessage, messagesOf, setMessageStatus } from '../support/records/messages.ts'
import { queueAgain } from '../support/records/outbox.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

const assisted = await openAssisted()
const { world } = assisted
const shop = await assisted.openShop()
beforeEach(() => cancelReplies(world))

const now = () => world.clock.now()
const inMs = (ms: number) => new Date(now().getTime() + ms)
const settle = () => endSentReplies(world.database.db.kysely, now(), { why: fact('reply_sent') })
const rowOf = ({ id }: { id: string }) => replyOf(world, id)

/** A customer whose question was answered, and the reply. */
async function answered(): Promise<{ id: string; sara: Customer }> {
  const sara = await shop.asked('When do you open?')
  const [reply] = await sara.replies()
  return { id: reply!.id, sara }
}

/** A reply as a process leaves it that dies between the provider's answer and the end of the reply. */
async function sending(left: Partial<ReplyRecord> = {}) {
  const made = await answered()
  await leaveSending(world, made.id, left)
  return made
}

systemTest.each(['accepted', 'sent', 'delivered', 'read'])(
  'a reply whose last part is %s becomes sent, and is not due any more',
  async (status) => {
    const reply = await sending({ failureCount: 2 })
    await setMessageStatus(world, { replyId: reply.id }, status)
    expect(await settle()).toBe(false)
    expect(await rowOf(reply)).toMatchObject({
      state: 'sent',
      endReason: serializeFact(fact('reply_sent')),
      endedAt: now(),
      dueAt: null,
      failureCount: 0,
    })
  },
)

systemTest.each<[string, Partial<ReplyRecord>, status?: string]>([
  ['whose last part still waits', {}, 'queued'],
  ['whose last part is on its way', {}, 'sending'],
  ['whose last part may or may not have been sent', {}, 'unknown'],
  ['whose last part was refused', {}, 'failed'],
  ['that has more work at its end', { completesOnAccept: false }],
  ['whose customer wrote meanwhile', { answeredMessageId: 'm_before' }],
])('a reply %s is left to a separate advance', async (_, reply, status) => {
  const [left, other] = [await answered(), await answered()]
  await leaveSending(world, left.id, reply)
  await leaveSending(world, other.id)
  const [message] = await messagesOf(world, { replyId: left.id })
  if (status === 'queued') {
    await queueAgain(world, message!.id, { dueAt: new Date('2099-01-01') })
  } else if (status) {
    await setMessageStatus(world, { id: message!.id }, status)
  }
  expect(await settle()).toBe(true)
  expect(await rowOf(left)).toMatchObject({ state: 'sending', endedAt: null })
  expect(await rowOf(other)).toMatchObject({ state: 'sent' })
})

test('a reply whose conversation is locked ends once the lock is released', async () => {
  const reply = await sending()
  const { id: conversationId } = await reply.sara.conversation()
  await using lock = await holdLock(world, { conversationId })
  expect(await settle()).toBe(true)
  await lock.release()
  expect(await rowOf(reply)).toMatchObject({ state: 'sending' })
  expect(await settle()).toBe(false)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
})

test('the newest try counts when one failed and a later one was accepted', async () => {
  const { sara, ...reply } = await sending()
  await setMessageStatus(world, { replyId: reply.id }, 'failed')
  const [failed] = await messagesOf(world, { replyId: reply.id })
  const { arrival: _, ...first } = failed!
  const again = { id: `${failed!.id}x`, providerMessageId: null, status: 'accepted' }
  await addMessage(world, failed!, { ...first, ...again, attempt: failed!.attempt! + 1 })
  expect(await settle()).toBe(false)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
  expect(await sara.got()).toHaveLength(1)
})

systemDescribe('Several processes', () => {
  test('leave a reply that another has claimed, or that is not due', async () => {
    const claimId = world.service.context.ids.uuid()
    const [claimed, later] = [await answered(), await answered()]
    await leaveSending(world, claimed.id, { claimId, leaseExpiresAt: inMs(MINUTE_MS) })
    await leaveSending(world, later.id, { dueAt: inMs(MINUTE_MS) })
    expect(await settle()).toBe(false)
    for (const one of [claimed, later]) expect(await rowOf(one)).toMatchObject({ state: 'sending' })
  })

  test('end each reply once, also concurrently and repeatedly, and it stays as it ended', async () => {
    const replies = [await answered(), await answered(), await answered()]
    for (const { id } of replies) await leaveSending(world, id)
    await Promise.all(Array.from({ length: 4 }, settle))
    const ended = await Promise.all(replies.map(rowOf))
    expect(ended.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    world.clock.advance(MINUTE_MS)
    expect(await settle()).toBe(false)
    expect(await Promise.all(replies.map(rowOf))).toEqual(ended)
  })

  test('end a limited number of replies by one statement, which says that there are more', async () => {
    const { id } = await sending()
    await repeatReply(world, id, REPLY_WORK.endedPerBatch)
    expect(await settle()).toBe(true)
  })
})

test('a reply whose process died before its end is ended by the next one, and sends nothing again', async () => {
  const { sara, ...reply } = await sending()
  const before = assisted.model.asked.length
  await assisted.pass(SECOND_MS)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
  await assisted.pass(MINUTE_MS)
  expect(await sara.got()).toHaveLength(1)
  expect(assisted.model.asked).toHaveLength(before)
})

systemDescribe('A message that arrives before a reply has ended', () => {
  test('is answered next', async () => {
    const { sara, ...reply } = await sending()
    await sara.asks('And on Fridays?')
    await assisted.pass(SECOND_MS)
    expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
    expect(await sara.got()).toHaveLength(2)
    expect(await sara.replies()).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
  })

  test('is answered also if a sticker comes after it', async () => {
    const { sara } = await sending({ dueAt: inMs(SECOND_MS) })
    world.clock.advance(1)
    await sara.says('And how much is the delivery?')
    world.clock.advance(1)
    await sara.sends('sticker')
    await assisted.pass(3 * SECOND_MS)
    await assisted.pass(4 * SECOND_MS)
    expect(heardBy(assisted.model.asked.at(-1)!)).toContain('And how much is the delivery?')
    expect(await sara.replies()).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
  })

  test('is answered also if the send of the reply is unknown, which is never repeated', async () => {
    const { sara, ...reply } = await sending()
    await setMessageStatus(world, { replyId: reply.id }, 'unknown')
    await sara.says('And on Fridays?')
    assisted.model.asked.length = 0
    await assisted.pass(3 * SECOND_MS)
    await assisted.pass(SECOND_MS)
    expect(await rowOf(reply)).toMatchObject({ state: 'unknown' })
    expect(heardBy(assisted.model.asked.at(-1)!).at(-1)).toBe('And on Fridays?')
    expect(await sara.got()).toHaveLength(1)
  })

  test('waits until the customer has been quiet for the usual time', async () => {
    const { sara } = await sending({ dueAt: inMs(SECOND_MS) })
    assisted.model.asked.length = 0
    await sara.says('And on Fridays?')
    await assisted.pass(2 * SECOND_MS)
    await assisted.pass(SECOND_MS / 2)
    expect(assisted.model.asked).toHaveLength(0)
    await sara.asks('And on Saturdays?')
    const both = ['And on Fridays?', 'And on Saturdays?']
    expect(assisted.model.asked.map((one) => heardBy(one).slice(-2))).toEqual([both])
  })

  test('leads to a handover if it asks for a person, whatever follows it', async () => {
    const { sara } = await sending({ dueAt: inMs(SECOND_MS) })
    world.clock.advance(1)
    await sara.says('I want to talk to a human')
    world.clock.advance(1)
    const before = assisted.model.asked.length
    await sara.asks('It is about the delivery of last week')
    await assisted.pass(4 * SECOND_MS)
    expect(assisted.model.asked).toHaveLength(before)
    expect(await sara.handovers()).toMatchObject([{ reason: 'customer_asked_for_person' }])
  })
})
