/** How replies end whose last part the provider took: all together, whatever was cut off in between. */
import type { Updateable } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settleSent } from '../../src/assistant/settle-reply.sql.ts'
import type { AssistantReply, Message } from '../../src/database/tables.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { REPLY_WORK } from '../../src/limits/replies.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import {
  heardBy,
  startAssisted,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
})
afterAll(() => assisted.close())
beforeEach(async () => {
  assisted.model.asked.length = 0
  await kysely().updateTable('assistantReply').set({ wakeAt: null, state: 'cancelled' }).execute()
})

const kysely = () => assisted.world.database.db.kysely
const now = () => assisted.world.clock.now()
const settle = () => settleSent(kysely(), now(), fact('reply_sent'))

type Sending = { id: string; sara: Customer }

/** A customer whose question was answered. */
async function answered(): Promise<Sending> {
  const sara = shop.customer()
  await sara.says('When do you open?')
  await assisted.pass(3 * SECOND_MS)
  const [reply] = await sara.replies()
  return { id: reply!.id, sara }
}

/** As a process leaves a reply that dies between the provider's answer and its end. */
async function leaveSending(
  { id }: Sending,
  reply: Updateable<AssistantReply> = {},
  message: Updateable<Message> = {},
): Promise<void> {
  const unended = { endReason: null, endedAt: null, endsWhenTaken: true, wakeAt: now() }
  await kysely()
    .updateTable('assistantReply')
    .set({ state: 'sending', ...unended, ...reply })
    .where('id', '=', id)
    .execute()
  if (Object.keys(message).length > 0) {
    await kysely().updateTable('message').set(message).where('replyId', '=', id).execute()
  }
}

async function sending(...left: [Updateable<AssistantReply>?, Updateable<Message>?]) {
  const made = await answered()
  await leaveSending(made, ...left)
  return made
}

const rowOf = ({ id }: Pick<Sending, 'id'>) =>
  kysely()
    .selectFrom('assistantReply')
    .select(['state', 'endReason', 'endedAt', 'wakeAt', 'faults'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test.each(['accepted', 'sent', 'delivered', 'read'])(
  'its last part is %s: it is sent, and nothing of it is due any more',
  async (status) => {
    const reply = await sending({ faults: 2 }, { status })
    expect(await settle()).toBe(false)
    expect(await rowOf(reply)).toEqual({
      state: 'sent',
      endReason: storeFact(fact('reply_sent')),
      endedAt: now(),
      wakeAt: null,
      faults: 0,
    })
  },
)

const QUEUED = { dueAt: new Date('2099-01-01'), outbound: '{}', lane: 2 } as const

test.each<[string, Updateable<AssistantReply>, Updateable<Message>]>([
  ['whose last part still waits', {}, { status: 'queued', ...QUEUED }],
  ['whose last part is on its way', {}, { status: 'sending' }],
  ['whose last part may or may not have been sent', {}, { status: 'unknown' }],
  ['whose last part was refused', {}, { status: 'failed' }],
  ['that has more to do at its end', { endsWhenTaken: false }, {}],
  ['whose customer wrote meanwhile', { coveredMessageId: 'm_before' }, {}],
])('one %s is left to a turn of its own', async (_, reply, message) => {
  const [left, other] = [await answered(), await answered()]
  await leaveSending(left, reply, message)
  await leaveSending(other)
  expect(await settle()).toBe(true)
  expect(await rowOf(left)).toMatchObject({ state: 'sending', endedAt: null })
  expect(await rowOf(other)).toMatchObject({ state: 'sent' })
})

systemTest(
  'a reply that another process has claimed, or that is not due, is left alone',
  async () => {
    const until = new Date(now().getTime() + MINUTE_MS)
    const claimId = assisted.world.service.context.ids.uuid()
    const [claimed, later] = [await answered(), await answered()]
    await leaveSending(claimed, { claimId, claimedUntil: until })
    await leaveSending(later, { wakeAt: until })
    expect(await settle()).toBe(false)
    for (const one of [claimed, later]) expect(await rowOf(one)).toMatchObject({ state: 'sending' })
    await kysely()
      .updateTable('assistantReply')
      .set({ claimId: null, claimedUntil: null })
      .execute()
  },
)

test('while somebody holds its conversation it is left; it ends once they let go', async () => {
  const reply = await sending()
  const { id } = await reply.sara.conversation()
  await kysely()
    .transaction()
    .execute(async (tx) => {
      await tx.selectFrom('conversation').select('id').where('id', '=', id).forUpdate().execute()
      expect(await settle()).toBe(true)
    })
  expect(await rowOf(reply)).toMatchObject({ state: 'sending' })
  expect(await settle()).toBe(false)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
})

test('a try that failed, and one after it that was taken: the newest counts', async () => {
  const { sara, ...reply } = await sending({}, { status: 'failed' })
  const failed = await kysely()
    .selectFrom('message')
    .selectAll()
    .where('replyId', '=', reply.id)
    .executeTakeFirstOrThrow()
  const again = { id: `${failed.id}x`, providerMessageId: null, status: 'accepted' }
  await kysely()
    .insertInto('message')
    .values({ ...failed, ...again, attempt: failed.attempt! + 1 })
    .execute()
  expect(await settle()).toBe(false)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
  expect(await sara.got()).toHaveLength(1)
})

systemTest(
  'many processes at once, and again later: each ends once, and stays as it ended',
  async () => {
    const replies = [await answered(), await answered(), await answered()]
    for (const one of replies) await leaveSending(one)
    await Promise.all(Array.from({ length: 4 }, settle))
    const ended = await Promise.all(replies.map(rowOf))
    expect(ended.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    assisted.world.clock.advance(MINUTE_MS)
    expect(await settle()).toBe(false)
    expect(await Promise.all(replies.map(rowOf))).toEqual(ended)
  },
)

systemTest('more than are ended by one statement: it says that there are more', async () => {
  const { id } = await sending()
  await assisted.world.database.db.pool.query(
    `with made as (
       insert into conversation select (json_populate_record(conversation, json_build_object(
         'id', id || '-' || nth, 'filed_under', filed_under || nth, 'contact_id', null))).*
       from conversation, generate_series(1, $2::int) nth
       where id = (select conversation_id from assistant_reply where id = $1) returning id)
     insert into assistant_reply select (json_populate_record(assistant_reply, json_build_object(
       'id', gen_random_uuid(), 'conversation_id', made.id))).* from assistant_reply, made
     where assistant_reply.id = $1`,
    [id, REPLY_WORK.settledAtOnce],
  )
  expect(await settle()).toBe(true)
})

test('a process that died before the end: the next one ends it, and sends nothing again', async () => {
  const { sara, ...reply } = await sending()
  const before = assisted.model.asked.length
  await assisted.pass(SECOND_MS)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
  await assisted.pass(MINUTE_MS)
  expect(await sara.got()).toHaveLength(1)
  expect(assisted.model.asked).toHaveLength(before)
})

systemTest('and where the customer wrote meanwhile, that is answered next', async () => {
  const { sara, ...reply } = await sending()
  await sara.says('And on Fridays?')
  await assisted.pass(3 * SECOND_MS)
  await assisted.pass(SECOND_MS)
  expect(await rowOf(reply)).toMatchObject({ state: 'sent' })
  expect(await sara.got()).toHaveLength(2)
  expect(await sara.replies()).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
})

systemTest('what the customer asked before a sticker is answered too', async () => {
  const { sara } = await sending({ wakeAt: new Date(now().getTime() + SECOND_MS) })
  assisted.world.clock.advance(1)
  await sara.says('And how much is the delivery?')
  assisted.world.clock.advance(1)
  await sara.sends('sticker')
  await assisted.pass(3 * SECOND_MS)
  await assisted.pass(4 * SECOND_MS)
  expect(heardBy(assisted.model.asked.at(-1)!)).toContain('And how much is the delivery?')
  expect(await sara.replies()).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
})

systemTest(
  'nobody knows whether it was sent: never again, and what the customer wrote meanwhile is answered',
  async () => {
    const { sara, ...reply } = await sending({}, { status: 'unknown' })
    await sara.says('And on Fridays?')
    assisted.model.asked.length = 0
    await assisted.pass(3 * SECOND_MS)
    await assisted.pass(SECOND_MS)
    expect(await rowOf(reply)).toMatchObject({ state: 'unknown' })
    expect(heardBy(assisted.model.asked.at(-1)!).at(-1)).toBe('And on Fridays?')
    expect(await sara.got()).toHaveLength(1)
  },
)

systemTest(
  'what comes next waits until the customer has been quiet for as long as ever',
  async () => {
    const { sara } = await sending({ wakeAt: new Date(now().getTime() + SECOND_MS) })
    assisted.model.asked.length = 0
    await sara.says('And on Fridays?')
    await assisted.pass(2 * SECOND_MS)
    await assisted.pass(SECOND_MS / 2)
    expect(assisted.model.asked).toHaveLength(0)
    await sara.says('And on Saturdays?')
    await assisted.pass(3 * SECOND_MS)
    expect(assisted.model.asked).toHaveLength(1)
    expect(heardBy(assisted.model.asked[0]!).slice(-2)).toEqual([
      'And on Fridays?',
      'And on Saturdays?',
    ])
  },
)

systemTest(
  'whoever asked for a person while it was sent gets one, whatever they wrote after that',
  async () => {
    const { sara } = await sending({ wakeAt: new Date(now().getTime() + SECOND_MS) })
    assisted.world.clock.advance(1)
    await sara.says('I want to talk to a human')
    assisted.world.clock.advance(1)
    await sara.says('It is about the delivery of last week')
    const before = assisted.model.asked.length
    await assisted.pass(3 * SECOND_MS)
    await assisted.pass(4 * SECOND_MS)
    expect(assisted.model.asked).toHaveLength(before)
    expect(await sara.handovers()).toMatchObject([{ reason: 'customer_asked_for_person' }])
  },
)
