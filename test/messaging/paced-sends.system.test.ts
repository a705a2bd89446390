/**
 * Numbers that keep a distance between sends (linked by QR code), in simulated time. Two sends are never within
 * 8 s, and never more than 250 in any hour. Staff's messages go before those of flows, whichever of two nodes
 * sends, and whatever the outcome of one is. Spec: Concepts › Channel capabilities.
 */
import { describe, expect, test } from 'vitest'
import type { SendMessage } from '../../src/modules/channels/open-channel.ts'
import { createMessagesWorker } from '../../src/workers/messages.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { SEND_LIMITS } from '../../src/core/limits/messaging.ts'
import {
  claimThrottledSends,
  endThrottledSend,
} from '../../src/modules/messaging/claim-throttled-sends.sql.ts'
import { recordThrottle } from '../../src/modules/messaging/channel-throttle.sql.ts'
import { SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import {
  newMessageId,
  queueMessages,
  type ClaimedMessage,
} from '../../src/modules/messaging/queue-message.ts'
import { releaseClaims } from '../../src/infra/database/queues/release.sql.ts'
import { dueNext } from '../support/queues.ts'
import { addQueuedMessage, cancelQueued, settleMessage } from '../support/records/outbox.ts'
import { addPerson } from '../support/records/members.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addContact } from '../support/records/contacts.ts'
import { addChannel, paceOf } from '../support/records/channels.ts'
import { addIdentifier } from '../support/records/identifiers.ts'
import { newPhone } from '../support/simulator.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const world = await openWorld({ databasePool: '8' })
const shop = await createShop(world)

const kysely = () => world.database.db.kysely
const now = () => world.clock.now()

type Number = { channelId: string; conversationId: string }

const own = (channelId: string) => ({ companyId: shop.companyId, channelId })

/** A number linked by QR code, and a customer who has just written. */
async function linkNumber(): Promise<Number> {
  const channelId = await addChannel(world, shop, { type: 'whatsapp_qr' })
  const contactId = await addContact(world, shop)
  await addIdentifier(world, shop, { contactId, kind: 'number', value: newPhone().slice(1) })
  const customer = { contactId, channelType: 'whatsapp_qr', lastCustomerAt: now() }
  const conversationId = await addConversation(world, own(channelId), customer)
  return { channelId, conversationId }
}

/** Queues messages of flows in the table. */
async function queueMany({ channelId, conversationId }: Number, count: number): Promise<void> {
  const where = { ...own(channelId), conversationId }
  const flows = { sender: 'flow', priority: 3, text: 'hi' }
  for (let place = 0; place < count; place += 1) await addQueuedMessage(world, where, flows)
  await transaction(world.database.db, (tx) => recordThrottle(tx, [channelId], now()))
}

/** Every random byte has this value: the shortest gaps, and the longest. */
const always = (byte: number) => (bytes: Uint8Array) => void bytes.fill(byte)
const SHORTEST = always(0)

function maxInAnyHour(times: readonly number[]): number {
  let [from, max] = [0, 0]
  for (const [place, at] of times.entries()) {
    while (at - times[from]! > HOUR_MS) from += 1
    max = Math.max(max, place - from + 1)
  }
  return max
}
const gapsBetween = (times: readonly number[]) =>
  times.slice(1).map((at, place) => at - times[place]!)

/** Rounds of the simulated day: one for each send, and one for each burst to wait for. */
const MAX_ROUNDS = 5_000

describe('A number that keeps its distance', () => {
  test(
    'sends at most 250 in any hour of a day and never two within 8 s, over two nodes',
    async () => {
      const number = await linkNumber()
      // Three times a day more messages are queued than an hour allows.
      const rushes = [0, 8 * HOUR_MS, 16 * HOUR_MS]
      const begunAt = now().getTime()
      const times: number[] = []
      const nodes = [world.service.context.ids.uuid(), world.service.context.ids.uuid()]
      for (let round = 0; round < MAX_ROUNDS && now().getTime() < begunAt + DAY_MS; round += 1) {
        if (now().getTime() >= begunAt + (rushes[0] ?? DAY_MS)) {
          rushes.shift()
          await queueMany(number, 400)
        }
        const taken = await Promise.all(
          nodes.map((claimId) => claimThrottledSends(kysely(), { claimId, now: now(), limit: 8 })),
        )
        const messages = taken.flat()
        expect(messages.length).toBeLessThanOrEqual(1)
        const [message] = messages
        if (message) {
          // The message is sent some time before the response arrives.
          const tookMs = [0, 400, 2_900, 14_000][times.length % 4]!
          times.push(now().getTime() + (times.length % 3 === 0 ? 0 : tookMs))
          world.clock.advance(tookMs)
          await settleMessage(world, message.id, 'accepted')
          await endThrottledSend(kysely(), message, { now: now(), random: SHORTEST })
        }
        const due = await dueNext(world, SEND_QUEUE)
        const nextAt = due?.getTime() ?? begunAt + (rushes[0] ?? DAY_MS)
        world.clock.advance(Math.max(1, nextAt - now().getTime()))
      }
      expect(Math.min(...gapsBetween(times))).toBeGreaterThanOrEqual(8 * SECOND_MS)
      expect(maxInAnyHour(times)).toBe(250)
      expect(times).toHaveLength(3 * 400)
    },
    120_000 * TIMEOUT_FACTOR,
  )

  test('waits between 8 and 20 s, at random', async () => {
    for (const [random, gapMs] of [
      [SHORTEST, 8_000],
      [always(255), 20_000],
    ] as const) {
      const number = await linkNumber()
      await queueMany(number, 2)
      const first = await claimOne(number)
      await endThrottledSend(kysely(), first!, { now: now(), random })
      world.clock.advance(gapMs - 1)
      expect(await claimOne(number)).toBeUndefined()
      world.clock.advance(1)
      expect(await claimOne(number)).toBeDefined()
    }
  })

  test('waits for a send without a known outcome until it must be over, and counts it then', async () => {
    const number = await linkNumber()
    await queueMany(number, 2)
    const begunAt = now().getTime()
    const lost = await claimOne(number)
    await settleMessage(world, lost!.id, 'unknown')
    world.clock.advance(2 * SEND_LIMITS.leaseMs - 1)
    expect(await claimOne(number)).toBeUndefined()
    world.clock.advance(1)
    const next = await claimOne(number)
    expect(next?.id).not.toBe(lost?.id)
    expect(now().getTime() - begunAt).toBeGreaterThanOrEqual(2 * SEND_LIMITS.leaseMs)
    // The late outcome of the lost one does not end this one.
    await endThrottledSend(kysely(), { ...lost!, id: 'o_other' }, { now: now(), random: SHORTEST })
    world.clock.advance(20 * SECOND_MS)
    expect(await claimOne(number)).toBeUndefined()
  })

  test('waits no longer for a send that was released before it began', async () => {
    const number = await linkNumber()
    await queueMany(number, 3)
    const first = await claimOne(number)
    await endThrottledSend(kysely(), first!, { now: now(), random: SHORTEST })
    world.clock.advance(8 * SECOND_MS)
    const next = await claimOne(number)
    await releaseClaims(kysely(), SEND_QUEUE, now(), [next!])
    expect((await claimOne(number))?.id).toBe(next!.id)
    // The hour counts it once.
    expect(await paceOf(world, number.channelId)).toMatchObject({ recent: { length: 2 } })
  })

  async function claimOne({ channelId }: Number): Promise<ClaimedMessage | undefined> {
    const claimId = world.service.context.ids.uuid()
    const taken = await claimThrottledSends(kysely(), { claimId, now: now(), limit: 100 })
    return taken.find(({ channel }) => channel.id === channelId)
  }
})

/** Makes the workers of two processes on one database, which record what they send with its time. */
function twoNodes(sent: { text: string; at: number }[]) {
  const { db, clock, ids, log } = world.service.context
  const send: SendMessage = (_to, message, ourReference) => {
    const text = message.kind === 'text' ? message.text : ''
    sent.push({ text, at: clock.now().getTime() })
    return Promise.resolve({ outcome: 'accepted', providerMessageId: `p-${ourReference}` })
  }
  return [1, 2].map(() =>
    createMessagesWorker(
      { db, clock, ids, log },
      {
        openChannel: () => Promise.resolve(send),
        claimId: () => ids.uuid(),
        random: SHORTEST,
        onSettled: () => {},
        onProgress: () => {},
      },
    ),
  )
}

async function write({ channelId, conversationId }: Number, text: string, by: 'member' | 'flow') {
  const { ids, db } = world.service.context
  const channel = { id: channelId, type: 'whatsapp_qr', isCoexistence: false }
  const personId = await addPerson(world)
  await transaction(db, async (tx) => {
    const claimed = await queueMessages(tx, { now: now(), eagerClaimFor: () => ids.uuid() }, [
      {
        id: newMessageId(ids),
        companyId: shop.companyId,
        conversationId,
        channel,
        by:
          by === 'member' ? { kind: 'member', personId } : { kind: 'broadcast', broadcastId: null },
        key: ids.uuid(),
        content: { kind: 'text', text },
        text,
        templateSend: null,
      },
    ])
    // It waits for its turn among those of all processes.
    expect(claimed).toEqual([])
  })
}

test('Two nodes that send for one number send staff’s messages first, each once, and keep the distance', async () => {
  // Earlier tests have left messages in the queue.
  await cancelQueued(world, shop)
  const number = await linkNumber()
  for (let place = 1; place <= 6; place += 1) await write(number, `flow ${place}`, 'flow')
  const sent: { text: string; at: number }[] = []
  const [one, other] = twoNodes(sent)
  async function letPass(ms: number) {
    for (let passed = 0; passed < ms; passed += SECOND_MS) {
      await Promise.all([one!.work(), other!.work()])
      await Promise.all([one!.drain(), other!.drain()])
      world.clock.advance(SECOND_MS)
    }
  }
  await letPass(10 * SECOND_MS)
  expect(sent).toHaveLength(2)
  await write(number, 'from staff', 'member')
  await write(number, 'again', 'member')
  await letPass(MINUTE_MS)
  expect(sent.map(({ text }) => text)).toEqual([
    'flow 1',
    'flow 2',
    'from staff',
    'again',
    'flow 3',
    'flow 4',
    'flow 5',
    'flow 6',
  ])
  const gaps = gapsBetween(sent.map(({ at }) => at))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8 * SECOND_MS)
})
