/**
 * The response of a provider is written even when other transactions block the first attempt to write it.
 * Numbers with a rate limit begin no more sends in a second than it allows, whichever process begins them; the
 * others are sent a little later. Spec: States › Sent message; Concepts › Channel capabilities.
 */
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { SEND_LIMITS } from '../../src/core/limits/messaging.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { releaseExpired } from '../../src/infra/database/queues/release.sql.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { beginSend } from '../../src/modules/messaging/mark-sending.sql.ts'
import { renewRefusedSends, SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import { settleSend, sendRetryAt } from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { abandonRestoredSends } from '../../src/modules/messaging/abandon-sends.ts'
import { createMessagesWorker } from '../../src/workers/messages.ts'
import { connectDatabase, type Database } from '../../src/infra/database/connect.ts'
import type { SendMessage } from '../../src/modules/channels/open-channel.ts'
import type { ClaimedMessage } from '../../src/modules/messaging/queue-message.ts'
import { accepted } from '../channels/loopback-meta.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { answerSends } from '../support/provider-answers.ts'
import { putRun, runOf } from '../support/records/runs.ts'
import {
  deleteMessages,
  makePartOfReply,
  type MessageRecord,
  messagesOf,
} from '../support/records/messages.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { addPerson } from '../support/records/members.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addReply, deleteReply, replyOf } from '../support/records/assistant.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'
import { addContact } from '../support/records/contacts.ts'
import { addIdentifier } from '../support/records/identifiers.ts'
import { addChannel, moveRate } from '../support/records/channels.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()

test.each(['55P03', '57014'])(
  '%s: it is sent once and accepted, and its run continues',
  async (code) => {
    const accept = await refuseWrites(world, 'an accepted send', { code, once: true })
    const shop = await whatsApp.openShop()
    // The provider sends no receipt later: without its response the outcome would stay unknown.
    const wamid = newWamid()
    const { result: runId, seen } = await answerSends(
      { world, whatsApp },
      (response) => response.end(accepted(wamid)),
      () => shop.order(newPhone()),
    )
    await accept()
    expect(await messagesOf(world, { runId })).toMatchObject([
      { status: 'accepted', providerMessageId: wamid },
    ])
    expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
    expect(seen).toHaveLength(1)
  },
)

test('A temporary refusal is retried no sooner than the provider says, and within an hour', () => {
  const now = new Date('2026-11-21T10:00:00.000Z')
  const inMs = (told: { retryAfterMs?: number }) => {
    const error = { code: '4', class: 'rate', message: 'Later', ...told } as const
    return sendRetryAt({ outcome: 'refused', error }, 1, now)!.getTime() - now.getTime()
  }
  const told = [{}, ...[1, 10 * MINUTE_MS, 7 * HOUR_MS].map((retryAfterMs) => ({ retryAfterMs }))]
  expect(told.map(inMs)).toEqual([5_000, 5_000, 10 * MINUTE_MS, HOUR_MS])
})

/** Deletes the messages of a test, so that no later test sends them. */
let left: string[] = []
afterEach(async () => {
  for (const conversationId of left) await deleteMessages(world, { conversationId })
  left = []
})

/** Adds a message of staff that a worker has claimed. It is queued by default. */
async function said(more: Partial<MessageRecord> = {}) {
  const shop = await whatsApp.openShop()
  const { companyId, channelId } = shop
  const { ids, clock } = world.service.context
  const [now, claimId] = [clock.now(), ids.uuid()]
  const conversationId = await addConversation(world, shop)
  const leaseExpiresAt = new Date(now.getTime() + MINUTE_MS)
  const where = { companyId, channelId, conversationId }
  const id = await addQueuedMessage(world, where, { claimId, leaseExpiresAt, ...more })
  const channel = { id: channelId, type: 'whatsapp', isCoexistence: false }
  const claimed = { id, accountId: shop.accountId, companyId, priority: 1, claimId, channel, now }
  left.push(conversationId)
  return { shop, id, conversationId, inHand: claimed }
}
const read = (conversationId: string) => messagesOf(world, { conversationId })

test('A temporary refusal that is reported twice is retried once, with the same author', async () => {
  const { db, ids } = world.service.context
  const authorId = await addPerson(world)
  const { id, inHand: claimed, conversationId } = await said({ authorId })
  await beginSend(db, claimed)
  const error = { code: '4', class: 'rate', message: 'Later' } as const
  const told = {
    id,
    runId: null,
    result: { outcome: 'refused', error },
    againAt: new Date(claimed.now.getTime() + MINUTE_MS),
    runClaimId: ids.uuid(),
    now: claimed.now,
  } as const
  for (let times = 0; times < 2; times += 1) await settleSend(db, told)
  expect(await renewRefusedSends(db.kysely, told.againAt)).toBe(1)
  expect(await read(conversationId)).toMatchObject([
    { status: 'failed', attempt: 1, authorId },
    { status: 'queued', attempt: 2, authorId, outbound: expect.any(String) },
  ])
})

test('A send that was interrupted is unknown once its lease ends, and the assistant’s reply continues', async () => {
  const { db, clock } = world.service.context
  const { shop, id, conversationId, inHand: claimed } = await said({ status: 'sending' })
  const now = clock.now()
  const replyId = await addReply(world, { ...shop, conversationId }, { state: 'sending' })
  await makePartOfReply(world, id, replyId)
  expect(await releaseExpired(db.kysely, SEND_QUEUE, now)).toBe(0)
  const over = new Date(claimed.now.getTime() + MINUTE_MS)
  expect(await releaseExpired(db.kysely, SEND_QUEUE, over)).toBe(1)
  expect(await read(conversationId)).toMatchObject([{ status: 'unknown', dueAt: null }])
  expect((await replyOf(world, replyId)).dueAt).toEqual(over)
  await deleteReply(world, replyId)
})

test('A queued message of a run is not sent any more once the run is being cancelled', async () => {
  const { db } = world.service.context
  const own = await whatsApp.openShop()
  const runId = await own.runFor(newPhone())
  const { inHand: claimed } = await said({ runId, sender: 'flow' })
  await putRun(world, runId, { cancelDetail: serializeFact(fact('staff_handling')) })
  expect(await beginSend(db, claimed)).toMatchObject({ isStillWanted: false })
})

test('After a restore, messages that wait in the backup are abandoned, and later ones are not', async () => {
  const shop = await whatsApp.openShop()
  const { kysely } = world.database.db
  const restoredAt = world.clock.now()
  const before = new Date(restoredAt.getTime() - 1)
  const after = new Date(restoredAt.getTime() + 1)
  const conversationId = await addConversation(world, shop)
  const where = { ...shop, conversationId }
  const ids: Record<string, string> = {}
  for (const [since, createdAt] of Object.entries({ before, after })) {
    for (const status of ['queued', 'failed']) {
      const made = { dueAt: after, occurredAt: createdAt, createdAt, status }
      ids[`${status} ${since}`] = await addQueuedMessage(world, where, made)
    }
  }
  expect(await abandonRestoredSends(kysely, { now: after, before: restoredAt })).toBe(1)
  left.push(conversationId)
  const waiting = (await read(conversationId)).filter(({ dueAt }) => dueAt !== null)
  expect(waiting.map(({ id }) => id).toSorted()).toEqual(
    [ids['failed after'], ids['queued after']].toSorted(),
  )
})

const company = await createShop(world)
const { db, ids, clock, log } = world.service.context
/** The connections of another process. */
const elsewhere = connectDatabase(world.database.connection)
afterAll(() => elsewhere.close())

type Rate = { type: string; isCoexistence: boolean; perSecond: number }
const RATES: Rate[] = [
  { type: 'whatsapp', isCoexistence: false, perSecond: 80 },
  { type: 'whatsapp', isCoexistence: true, perSecond: 20 },
  { type: 'telegram', isCoexistence: false, perSecond: 25 },
]

/** Opens a number of this kind, with messages of it that this process has claimed. */
async function openNumber({ type, isCoexistence }: Omit<Rate, 'perSecond'>) {
  const channelId = await addChannel(world, company, { type })
  const where = { companyId: company.companyId, channelId }
  const contactId = await addContact(world, company)
  await addIdentifier(world, company, { contactId, kind: 'number', value: newPhone().slice(1) })
  const customer = { contactId, channelType: type, lastCustomerAt: clock.now() }
  const conversationId = await addConversation(world, where, customer)
  return {
    channelId,
    conversationId,
    async queue(count: number): Promise<ClaimedMessage[]> {
      const queued: ClaimedMessage[] = []
      for (let nth = 0; nth < count; nth += 1) {
        const claimId = ids.uuid()
        const leaseExpiresAt = new Date(clock.now().getTime() + 60_000)
        const id = await addQueuedMessage(
          world,
          { ...where, conversationId },
          { claimId, leaseExpiresAt },
        )
        const channel = { id: channelId, type, isCoexistence }
        const { accountId, companyId } = company
        queued.push({ id, accountId, companyId, priority: 1, claimId, channel })
      }
      return queued
    },
  }
}

/** Begins messages together. Returns which have begun, and how long the others wait. */
async function beginAll(on: Database, messages: readonly ClaimedMessage[]) {
  const now = clock.now()
  const begun = await Promise.all(messages.map((message) => beginSend(on, { ...message, now })))
  const waits = begun.flatMap((one) => (one && 'waitMs' in one ? [one.waitMs] : []))
  return { begun: begun.flatMap((one) => (one && 'id' in one ? [one.id] : [])), waits }
}

test.each(RATES)('$type sends $perSecond in a second over all processes', async (rate) => {
  const { perSecond } = rate
  const { queue, channelId } = await openNumber(rate)
  const messages = await queue(perSecond + 10)
  const first = await beginAll(db, messages)
  expect(first.begun).toEqual(messages.slice(0, perSecond).map(({ id }) => id))
  expect(first.waits).toHaveLength(10)
  for (const waitMs of first.waits) expect(waitMs).toBeLessThanOrEqual(1_050)
  // The sends look as if they had begun just now, however long the machine took.
  await moveRate(world, channelId, 1_000)
  const waiting = messages.slice(perSecond)
  for (const process of [db, elsewhere]) {
    expect(await beginAll(process, waiting)).toMatchObject({ begun: [], waits: { length: 10 } })
  }
  await moveRate(world, channelId, -3_000)
  expect((await beginAll(elsewhere, waiting)).begun).toHaveLength(10)
})

test('One number at its limit does not delay another one in the same statement', async () => {
  const [full, free] = [await openNumber(RATES[1]!), await openNumber(RATES[1]!)]
  await beginAll(db, await full.queue(20))
  await moveRate(world, full.channelId, 1_000)
  const messages = [...(await full.queue(2)), ...(await free.queue(2))]
  const { begun, waits } = await beginAll(db, messages)
  expect(begun).toEqual(messages.slice(2).map(({ id }) => id))
  expect(waits).toHaveLength(2)
})

systemTest('A message above the limit is sent once, as soon as the limit allows it', async () => {
  const number = await openNumber(RATES[1]!)
  const messages = await number.queue(45)
  const sent: string[] = []
  const worker = createMessagesWorker(
    { db, clock, ids, log },
    {
      openChannel: () =>
        Promise.resolve((_to, _message, ourReference) => {
          sent.push(ourReference)
          return Promise.resolve({ outcome: 'accepted', providerMessageId: `p-${ourReference}` })
        }),
      claimId: () => ids.uuid(),
      random: () => {},
      onSettled: () => {},
      onProgress: () => {},
    },
  )
  worker.dispatchMessages(messages)
  await worker.drain()
  expect(sent.toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
  const { conversationId } = number
  const statuses = (await messagesOf(world, { conversationId })).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set(['accepted']))
})

test('A stop while the database is away waits for the sends in progress, and begins no other', async () => {
  const proxy = await createDatabaseProxy(world.database.connection)
  const own = connectDatabase(proxy.connection)
  onTestFinished(async () => {
    await own.close()
    await proxy.close()
  })
  const number = await openNumber(RATES[0]!)
  left.push(number.conversationId)
  const [opened, warned] = [Promise.withResolvers<SendMessage>(), Promise.withResolvers<void>()]
  const warning = Object.assign(log.child({}), { warn: () => warned.resolve() })
  const worker = createMessagesWorker(
    { db: { ...db, kysely: own.kysely }, clock, ids, log: warning },
    {
      openChannel: () => opened.promise,
      claimId: () => ids.uuid(),
      random: () => {},
      onSettled: () => {},
      onProgress: () => {},
    },
  )
  const many = SEND_LIMITS.maxConcurrentPerChannel + 1
  worker.dispatchMessages(await number.queue(many))
  proxy.shut()
  worker.halt!()
  const drained = worker.drain()
  await Promise.race([warned.promise, drained])
  proxy.open()
  const sent: string[] = []
  opened.resolve((_to, _message, ourReference) => {
    sent.push(ourReference)
    return Promise.resolve({ outcome: 'accepted', providerMessageId: `p-${ourReference}` })
  })
  await drained
  expect(sent).toHaveLength(many - 1)
  const statuses = (await read(number.conversationId)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 'accepted')).toHaveLength(many - 1)
  expect(statuses).toContain('queued')
})
