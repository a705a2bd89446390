/**
 * A provider has taken a message, and what it answered cannot be written at once because others are in the way:
 * it is written all the same. Spec: States › Sent message.
 */
import { afterEach, expect, test } from 'vitest'
import { accepted } from '../channels/loopback-meta.ts'
import { answerSends } from '../support/provider-answers.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { releaseExpired } from '../../src/infra/database/queues/release.sql.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { beginSend } from '../../src/modules/messaging/mark-sending.sql.ts'
import { renewRefusedSends, SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import { settleSend, sendRetryAt } from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { abandonRestoredSends } from '../../src/modules/messaging/abandon-sends.ts'
import { putRun, runOf } from '../support/records/runs.ts'
import {
  deleteMessages,
  makePartOfReply,
  messagesOf,
  type MessageRecord,
} from '../support/records/messages.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { addPerson } from '../support/records/members.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addReply, deleteReply, replyOf } from '../support/records/assistant.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()

test.each(['55P03', '57014'])(
  '%s: it is sent once and accepted, and its run goes on',
  async (code) => {
    const accept = await refuseWrites(world, 'an accepted send', { code, once: true })
    const shop = await whatsApp.openShop()
    // One that tells nothing of it later: without its answer nobody would know.
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

test('What the provider refused for now is tried again no sooner than it says, and after an hour at the latest', () => {
  const now = new Date('2026-11-21T10:00:00.000Z')
  const inMs = (told: { retryAfterMs?: number }) => {
    const error = { code: '4', class: 'rate', message: 'Later', ...told } as const
    return sendRetryAt({ outcome: 'refused', error }, 1, now)!.getTime() - now.getTime()
  }
  const told = [{}, ...[1, 10 * MINUTE_MS, 7 * HOUR_MS].map((retryAfterMs) => ({ retryAfterMs }))]
  expect(told.map(inMs)).toEqual([5_000, 5_000, 10 * MINUTE_MS, HOUR_MS])
})

/** Nothing of what a test leaves is sent by one after it. */
let left: string[] = []
afterEach(async () => {
  for (const conversationId of left) await deleteMessages(world, { conversationId })
  left = []
})

/** A message of staff's there, queued unless told, in somebody's hand. */
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
  const inHand = { id, accountId: shop.accountId, companyId, lane: 1, claimId, channel, now }
  left.push(conversationId)
  return { shop, id, conversationId, inHand }
}
const read = (conversationId: string) => messagesOf(world, { conversationId })

test('A message is begun once, also when two believe to have it in hand', async () => {
  const { inHand } = await said()
  const { db } = world.service.context
  const another = { ...inHand, claimId: world.service.context.ids.uuid() }
  expect(await beginSend(db, another)).toBeNull()
  expect(await beginSend(db, inHand)).toMatchObject({ id: inHand.id, isStillWanted: true })
  expect(await beginSend(db, inHand)).toBeNull()
})

test('A refusal for now that is told twice is tried again once, with the same author', async () => {
  const { db, ids } = world.service.context
  const authorId = await addPerson(world)
  const { id, inHand, conversationId } = await said({ authorId })
  await beginSend(db, inHand)
  const error = { code: '4', class: 'rate', message: 'Later' } as const
  const told = {
    id,
    runId: null,
    result: { outcome: 'refused', error },
    againAt: new Date(inHand.now.getTime() + MINUTE_MS),
    runClaimId: ids.uuid(),
    now: inHand.now,
  } as const
  for (let times = 0; times < 2; times += 1) await settleSend(db, told)
  expect(await renewRefusedSends(db.kysely, told.againAt)).toBe(1)
  expect(await read(conversationId)).toMatchObject([
    { status: 'failed', attempt: 1, authorId },
    { status: 'queued', attempt: 2, authorId, outbound: expect.any(String) },
  ])
})

test('A send that was cut off is unknown once its lease is over, and the assistant’s reply that it is of goes on', async () => {
  const { db, clock } = world.service.context
  const { shop, id, conversationId, inHand } = await said({ status: 'sending' })
  const now = clock.now()
  const replyId = await addReply(world, { ...shop, conversationId }, { state: 'sending' })
  await makePartOfReply(world, id, replyId)
  expect(await releaseExpired(db.kysely, SEND_QUEUE, now)).toBe(0)
  const over = new Date(inHand.now.getTime() + MINUTE_MS)
  expect(await releaseExpired(db.kysely, SEND_QUEUE, over)).toBe(1)
  expect(await read(conversationId)).toMatchObject([{ status: 'unknown', dueAt: null }])
  expect((await replyOf(world, replyId)).dueAt).toEqual(over)
  await deleteReply(world, replyId)
})

test('What a run had queued is wanted no more once the run is being cancelled', async () => {
  const { db } = world.service.context
  const own = await whatsApp.openShop()
  const runId = await own.runFor(newPhone())
  const { inHand } = await said({ runId, sender: 'flow' })
  await putRun(world, runId, { cancelDetail: serializeFact(fact('staff_handling')) })
  expect(await beginSend(db, inHand)).toMatchObject({ isStillWanted: false })
})

test('What a restored backup shows as waiting to be sent is given up; what was queued since then is not', async () => {
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
