/**
 * Receipts of messages whose send is known to be accepted: they change only the message, and wait for no lock
 * of its conversation.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { ChannelGone } from '../../src/modules/channels/load-channel.ts'
import { createIngestBatcher } from '../../src/modules/inbound/ingest-batcher.ts'
import { ingestBatch } from '../../src/modules/inbound/ingest-batch.ts'
import { SENT_MESSAGE_STATUSES } from '../../src/core/vocabulary/channels.ts'
import { addRun, runOf } from '../support/records/runs.ts'
import {
  addMessage,
  messageOf,
  putMessage,
  type MessageRecord,
} from '../support/records/messages.ts'
import { holdLock } from '../support/records/locks.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { eventsOf, openedChannel, secondsOf } from '../support/provider-events.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'

let batcher: ReturnType<typeof createIngestBatcher>
const world = await openWorld()
const shop = await createShop(world)
const channel = await openedChannel(world, shop)
const { written, receipt } = eventsOf(world, channel)
const at = secondsOf(world)
const customer = { number: newPhone().slice(1) }
await ingestBatch(world.service.context, [written(customer, 'hello')])
const { id: conversationId } = await onlyConversation(world, { channelId: shop.channelId })
beforeEach(() => {
  batcher = createIngestBatcher(world.service.context)
})

async function sent(status: string = 'accepted', more: Partial<MessageRecord> = {}) {
  const providerMessageId = newWamid()
  const queued = { outbound: '{}', dueAt: at(1_000), attempt: 1, priority: 3 }
  const known = { sender: 'flow', providerMessageId, status, ...(status === 'queued' && queued) }
  const id = await addMessage(world, { ...shop, conversationId }, { ...known, ...more })
  return { id, providerMessageId }
}
async function stateOf(id: string) {
  const message = await messageOf(world, id)
  const { status, sentAt, deliveredAt, readAt, failedAt, dueAt, outbound } = message
  return { status, sentAt, deliveredAt, readAt, failedAt, dueAt, outbound }
}

const TOLD = ['sent', 'delivered', 'read', 'failed'] as const
const times = (status: string) => ({
  ...(['sent', 'delivered', 'read'].includes(status) && { sentAt: at(1) }),
  ...(['delivered', 'read'].includes(status) && { deliveredAt: at(2) }),
  ...(status === 'read' && { readAt: at(3) }),
})

describe('a receipt has the same result in a batch of receipts and in a batch of all events', () => {
  test.each(SENT_MESSAGE_STATUSES)('when the message was %s', async (status) => {
    const before = times(status)
    for (const told of TOLD) {
      const [here, there] = [await sent(status, before), await sent(status, before)]
      expect(await batcher(receipt(here.providerMessageId, told, 10))).toBeNull()
      await ingestBatch(world.service.context, [receipt(there.providerMessageId, told, 10)])
      expect({ told, ...(await stateOf(here.id)) }).toEqual({ told, ...(await stateOf(there.id)) })
    }
  })

  test('in concurrent receipts, again, and in any order', async () => {
    for (const told of [
      TOLD.slice(0, 3),
      TOLD.slice(0, 3).toReversed(),
      ['read', 'read', 'sent'],
    ]) {
      const [here, there] = [await sent(), await sent()]
      const of = ({ providerMessageId }: typeof here) =>
        told.map((status, place) => receipt(providerMessageId, status as 'sent', place))
      expect(await Promise.all(of(here).map(batcher))).toEqual([null, null, null])
      await ingestBatch(world.service.context, of(there))
      expect({ told, ...(await stateOf(here.id)) }).toEqual({ told, ...(await stateOf(there.id)) })
    }
  })
})

test.each(['read', 'failed'] as const)(
  'A receipt that waits while another one makes the message %s does not move it',
  async (status) => {
    const { id, providerMessageId } = await sent()
    await using lock = await holdLock(world, 'nothing')
    const state = status === 'failed' ? { failedAt: at(4) } : times('read')
    await putMessage(lock.inside, id, { status, ...state })
    const recorded = batcher(receipt(providerMessageId, 'delivered', 10))
    await lock.blocks('the receipt')
    await lock.release()
    expect(await recorded).toBeNull()
    expect(await stateOf(id)).toMatchObject({ status, deliveredAt: null, ...state })
  },
)

test('A receipt does not wait for the locks of its conversation and its run', async () => {
  const { id, providerMessageId } = await sent()
  await using lock = await holdLock(world, 'the conversations')
  await batcher(receipt(providerMessageId, 'delivered', 1))
  expect((await stateOf(id)).status).toBe('delivered')
  await lock.release()
})

test('A receipt decides a send whose outcome is open: its run is due now', async () => {
  const waits = { waitKind: 'sent', waitUntil: at(1_000), dueAt: at(1_000) }
  const runId = await addRun(world, shop, { conversationId, ...waits })
  const { providerMessageId } = await sent('unknown', { runId })
  await batcher(receipt(providerMessageId, 'sent', 1))
  const run = await runOf(world, runId)
  expect(run.dueAt).toEqual(world.clock.now())
})

test('A receipt changes nothing when its channel is gone or has another route', async () => {
  const { id, providerMessageId } = await sent()
  const moved = { ...channel, route: 'by another route' }
  const told = { ...receipt(providerMessageId, 'read', 1), channel: moved }
  expect(await batcher(told)).toBeInstanceOf(ChannelGone)
  expect((await stateOf(id)).status).toBe('accepted')
})
