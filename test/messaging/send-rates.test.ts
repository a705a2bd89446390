/**
 * Numbers that send at a rate: no more begin in a second than it allows, whichever of all processes begins them, and
 * what has no room is sent a little later. Spec: Concepts › Channel capabilities.
 */
import { afterAll, expect, test } from 'vitest'
import { createMessagesWorker } from '../../src/workers/messages.ts'
import { connectDatabase, type Database } from '../../src/infra/database/connect.ts'
import { beginSend } from '../../src/modules/messaging/mark-sending.sql.ts'
import type { ClaimedMessage } from '../../src/modules/messaging/queue-message.ts'
import { openWorld } from '../support/open-world.ts'
import { addContact } from '../support/records/contacts.ts'
import { addIdentifier } from '../support/records/identifiers.ts'
import { newPhone } from '../support/simulator.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addChannel, moveRate } from '../support/records/channels.ts'
import { messagesOf } from '../support/records/messages.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()
const shop = await createShop(world)
const { db, ids, clock, log } = world.service.context
/** Of another process. */
const elsewhere = connectDatabase(world.database.connection)
afterAll(() => elsewhere.close())

type Rate = { type: string; isCoexistence: boolean; perSecond: number }
const RATES: Rate[] = [
  { type: 'whatsapp', isCoexistence: false, perSecond: 80 },
  { type: 'whatsapp', isCoexistence: true, perSecond: 20 },
  { type: 'telegram', isCoexistence: false, perSecond: 25 },
]

/** A number of this kind, and messages of it that this process has claimed. */
async function openNumber({ type, isCoexistence }: Omit<Rate, 'perSecond'>) {
  const channelId = await addChannel(world, shop, { type })
  const where = { companyId: shop.companyId, channelId }
  const contactId = await addContact(world, shop)
  await addIdentifier(world, shop, { contactId, kind: 'number', value: newPhone().slice(1) })
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
        const { accountId, companyId } = shop
        queued.push({ id, accountId, companyId, lane: 1, claimId, channel })
      }
      return queued
    },
  }
}

/** Begins messages together; returns which have begun, and how long the others are to wait. */
async function beginAll(on: Database, messages: readonly ClaimedMessage[]) {
  const now = clock.now()
  const begun = await Promise.all(messages.map((message) => beginSend(on, { ...message, now })))
  const waits = begun.flatMap((one) => (one && 'waitMs' in one ? [one.waitMs] : []))
  return { begun: begun.flatMap((one) => (one && 'id' in one ? [one.id] : [])), waits }
}

test.each(RATES)('$type sends $perSecond in a second, whoever asks', async (rate) => {
  const { perSecond } = rate
  const { queue, channelId } = await openNumber(rate)
  const messages = await queue(perSecond + 10)
  const first = await beginAll(db, messages)
  expect(first.begun).toEqual(messages.slice(0, perSecond).map(({ id }) => id))
  expect(first.waits).toHaveLength(10)
  for (const waitMs of first.waits) expect(waitMs).toBeLessThanOrEqual(1_050)
  // As if they had begun just now, however long the machine took.
  await moveRate(world, channelId, 1_000)
  const left = messages.slice(perSecond)
  for (const process of [db, elsewhere]) {
    expect(await beginAll(process, left)).toMatchObject({ begun: [], waits: { length: 10 } })
  }
  await moveRate(world, channelId, -3_000)
  expect((await beginAll(elsewhere, left)).begun).toHaveLength(10)
})

test('One number that has no room holds up no other in the same statement', async () => {
  const [full, free] = [await openNumber(RATES[1]!), await openNumber(RATES[1]!)]
  await beginAll(db, await full.queue(20))
  await moveRate(world, full.channelId, 1_000)
  const messages = [...(await full.queue(2)), ...(await free.queue(2))]
  const { begun, waits } = await beginAll(db, messages)
  expect(begun).toEqual(messages.slice(2).map(({ id }) => id))
  expect(waits).toHaveLength(2)
})

test('What had no room is sent once, as soon as there is room', async () => {
  const number = await openNumber(RATES[1]!)
  const messages = await number.queue(45)
  const sent: string[] = []
  const duty = createMessagesWorker(
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
  duty.handOver(messages)
  await duty.drain()
  expect(sent.toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
  const { conversationId } = number
  const statuses = (await messagesOf(world, { conversationId })).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set(['accepted']))
})
