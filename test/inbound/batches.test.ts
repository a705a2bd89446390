/** Provider events that arrive together: one transaction, with the same results as one after the other. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChannelGone, type OpenedChannel } from '../../src/modules/channels/load-channel.ts'
import { createIngestBatcher } from '../../src/modules/inbound/ingest-batcher.ts'
import { ingestBatch, type ChannelEvent } from '../../src/modules/inbound/ingest-batch.ts'
import { INBOUND_LIMITS } from '../../src/core/limits/messaging.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { addMessage, messageOf, messagesOf } from '../support/records/messages.ts'
import { countWaiting, holdLock } from '../support/records/locks.ts'
import { refuseWrites, watchMessageChanges } from '../support/records/faults.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { conversationWith, conversationsOf } from '../support/records/conversations.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { eventsOf, openedChannel, secondsOf } from '../support/provider-events.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let channel: OpenedChannel
let written: ReturnType<typeof eventsOf>['written']
let receipt: ReturnType<typeof eventsOf>['receipt']
let batches: number
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
  channel = await openedChannel(world, shop)
  ;({ written, receipt } = eventsOf(world, channel))
  batches = 0
})
afterEach(() => world.close())

/** Counts the transactions that begin: each asks for the time once. */
function counting() {
  const { clock, ...context } = world.service.context
  return {
    ...context,
    clock: {
      now() {
        batches += 1
        return clock.now()
      },
    },
  }
}
const take = (events: ChannelEvent[]) => ingestBatch(counting(), events)
const at = (seconds: number) => secondsOf(world)(seconds)

const newCustomer = () => ({ number: newPhone().slice(1), profileName: 'Sara' })

const contacts = () => contactsOf(world, shop)
const messages = () => messagesOf(world, { companyId: shop.companyId })
const raised = () => eventTypesOf(world, { companyId: shop.companyId })

/** Adds a message that the business sent to a known customer, and its conversation. */
async function sent({
  providerMessageId = newWamid(),
}: { providerMessageId?: string | null } = {}) {
  const customer = newCustomer()
  await ingestBatch(world.service.context, [written(customer, 'hello')])
  const { id: conversationId } = await conversationWith(world, shop, customer.number)
  const status = providerMessageId === null ? 'unknown' : 'accepted'
  const where = { ...shop, conversationId }
  const id = await addMessage(world, where, { sender: 'flow', providerMessageId, status })
  return { id, providerMessageId: providerMessageId ?? '', customer }
}

test('messages of one customer in one batch make one contact and one conversation, which is begun once', async () => {
  const customer = newCustomer()
  const faults = await take([
    written(customer, 'first', { at: at(-20) }),
    written({ ...customer, businessScopedId: 'SA.12345' }, 'second', { at: at(-10) }),
    written({ businessScopedId: 'SA.12345' }, 'third', { at: at(-15) }),
  ])
  expect(faults).toEqual([null, null, null])
  expect(batches).toBe(1)
  expect(await contacts()).toHaveLength(1)
  const [conversation, ...more] = await conversationsOf(world, { companyId: shop.companyId })
  expect(more).toEqual([])
  // The newest message counts, whatever the order of arrival.
  expect(conversation).toMatchObject({
    lastMessageAt: at(-10),
    serviceWindowEndsAt: new Date(at(-10).getTime() + DAY_MS),
  })
  const types = await raised()
  expect(types.filter((type) => type === 'conversation.started')).toHaveLength(1)
  expect(types.filter((type) => type === 'contact.created')).toHaveLength(1)
  expect(types.indexOf('conversation.started')).toBeLessThan(types.indexOf('message.received'))
  expect(types.filter((type) => type === 'message.received')).toHaveLength(3)
})

describe('receipts of one message in one batch', () => {
  systemTest('are folded into one change of its row, in whatever order they come', async () => {
    const { id, providerMessageId } = await sent()
    const changed = await watchMessageChanges(world)
    await take([
      receipt(providerMessageId, 'read', 3),
      receipt(providerMessageId, 'sent', 1),
      receipt(providerMessageId, 'delivered', 2),
      receipt('of-nobody', 'delivered', 2),
    ])
    expect(await messageOf(world, id)).toMatchObject({ status: 'read', readAt: at(3) })
    expect(await changed()).toEqual([id])
    await take([receipt(providerMessageId, 'delivered', 2)])
    expect(await changed()).toEqual([id])
  })

  systemTest('each step is dated by its own receipt', async () => {
    const { id, providerMessageId } = await sent()
    await take([
      receipt(providerMessageId, 'sent', 1),
      receipt(providerMessageId, 'delivered', 2),
      receipt(providerMessageId, 'read', 3),
      receipt(providerMessageId, 'failed', 4),
    ])
    expect(await messageOf(world, id)).toMatchObject({
      status: 'read',
      sentAt: at(1),
      deliveredAt: at(2),
      readAt: at(3),
      failedAt: null,
    })
  })

  test('a message whose response was lost is found by the receipt that repeats its reference', async () => {
    const { id } = await sent({ providerMessageId: null })
    await take([
      receipt('wamid.late', 'sent', 1, { ourReference: id }),
      receipt('wamid.late', 'delivered', 2),
    ])
    const known = { providerMessageId: 'wamid.late', status: 'delivered' }
    expect(await messageOf(world, id)).toMatchObject(known)
  })
})

test.each<[string, Record<string, number>, boolean]>([
  ['STOP, then START: opted in', { STOP: 1, START: 2 }, false],
  ['START, then STOP: opted out', { START: 1, STOP: 2 }, true],
  ['a START that is older than the STOP before it changes nothing', { STOP: 2, START: 1 }, true],
  ['of one time the later arrival counts', { STOP: 1, START: 1 }, false],
])('STOP and START in one batch %s', async (_, secondsOfWords, isOut) => {
  const customer = newCustomer()
  await take([
    written(customer, 'hello'),
    ...Object.entries(secondsOfWords).map(([word, seconds]) =>
      written(customer, word, { at: at(seconds) }),
    ),
  ])
  const [contact] = await contacts()
  expect(contact!.optedOutAt !== null).toBe(isOut)
  const types = await raised()
  expect(types.indexOf('message.received')).toBeLessThan(types.indexOf('contact.opted_out'))
})

systemDescribe('a faulty event in a batch', () => {
  test('does not affect the others: the batch is halved until the faulty one is alone', async () => {
    await refuseWrites(world, 'a new message', { text: 'poison' })
    const batcher = createIngestBatcher(counting())
    const texts = Array.from({ length: 32 }, (_, index) => (index === 20 ? 'poison' : `${index}`))
    const faults = await Promise.all(
      texts.map((text) => batcher(written(newCustomer(), text)).catch((error: unknown) => error)),
    )
    expect(faults.findIndex((fault) => fault !== null)).toBe(20)
    expect(faults.filter((fault) => fault === null)).toHaveLength(31)
    expect(await messages()).toHaveLength(31)
    // 32 are split like this: the whole batch, and two halves of 16, 8, 4, 2 and 1.
    expect(batches).toBe(11)
  })

  test('is reported for it alone when its channel is gone', async () => {
    const gone = { ...channel, id: world.service.context.ids.uuid() }
    const moved = { ...channel, route: 'by another route' }
    const good = written(newCustomer(), 'good')
    const [none, first, second] = await take([
      good,
      { ...written(newCustomer(), 'gone'), channel: gone },
      { ...written(newCustomer(), 'moved'), channel: moved },
    ])
    expect(none).toBeNull()
    expect([first, second]).toEqual([expect.any(ChannelGone), expect.any(ChannelGone)])
    expect(await messages()).toHaveLength(1)
  })
})

describe('events that arrive concurrently', () => {
  // A transaction that waits for another one here may wait as long as a busy machine needs.
  const { lockMs } = INBOUND_LIMITS
  beforeEach(() => void Object.assign(INBOUND_LIMITS, { lockMs: 30_000 }))
  afterEach(() => void Object.assign(INBOUND_LIMITS, { lockMs }))

  test('are one transaction, from whichever webhook', async () => {
    const batcher = createIngestBatcher(counting())
    const events = Array.from({ length: 10 }, (_, index) => written(newCustomer(), `${index}`))
    expect(await Promise.all(events.map(batcher))).toEqual(events.map(() => null))
    expect(batches).toBe(1)
  })

  test('wait for the transaction that has locked the conversation of a receipt', async () => {
    const { id, providerMessageId } = await sent()
    await using lock = await holdLock(world, 'the conversations')
    const taken = take([receipt(providerMessageId, 'delivered', 1)])
    await waitUntil('it waits', async () => (await countWaiting(world)) === 1)
    expect((await messageOf(world, id)).status).toBe('accepted')
    await lock.release()
    await taken
    expect((await messageOf(world, id)).status).toBe('delivered')
  })

  systemTest('cause no deadlock in crossing batches, because they lock in one order', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => sent()))
    const rounds = 12
    for (let round = 0; round < rounds; round += 1) {
      const of = (turn: number, text: string) =>
        people.map(({ customer, providerMessageId }, index) =>
          (index + turn) % 2 === 0
            ? written(customer, text)
            : receipt(providerMessageId, 'delivered', round),
        )
      const events = of(round, `round ${round}`)
      const others = of(round + 1, `round ${round}, too`)
      await Promise.all([take(events), take(others.toReversed()), take(events.toReversed())])
    }
    expect(batches).toBe(3 * rounds)
  })
})
