/** Receipts of messages whose send is known to be accepted: they move these alone, and wait for nobody's turn. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Inbound } from '../../src/channels/channel-adapter.ts'
import { ChannelGone, loadChannel, type OpenedChannel } from '../../src/channels/load-channel.ts'
import { createFactDesk } from '../../src/inbound/fact-desk.ts'
import { takeInBatch, type FactOfChannel } from '../../src/inbound/take-in-batch.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { SENT_MESSAGE_STATUSES } from '../../src/vocabulary/channels.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'

let world: World
let shop: Shop
let channel: OpenedChannel
let conversationId: string
let desk: ReturnType<typeof createFactDesk>
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  channel = (await loadChannel(world.database.db.kysely, world.service.keyRing, shop.channelId))!
  const message = {
    kind: 'message' as const,
    route: channel.route,
    providerMessageId: newWamid(),
    customer: { number: newPhone().slice(1) },
    type: 'text' as const,
    text: 'hello',
    at: world.clock.now(),
  }
  await takeInBatch(world.service.context, [{ channel, fact: message }])
  const { id } = await world.database.db.kysely
    .selectFrom('conversation')
    .select('id')
    .executeTakeFirstOrThrow()
  conversationId = id
})
afterAll(() => world.close())
beforeEach(() => {
  desk = createFactDesk(world.service.context)
})

type Receipt = Extract<Inbound, { kind: 'receipt' }>
/** Seconds on a scale of the test, all of them over. */
const at = (seconds: number) => new Date(world.clock.now().getTime() + (seconds - 100) * SECOND_MS)
const receipt = (
  providerMessageId: string,
  status: Receipt['status'],
  seconds: number,
): FactOfChannel => ({
  channel,
  fact: { kind: 'receipt', route: channel.route, providerMessageId, status, at: at(seconds) },
})

async function sent(status: string = 'accepted', times: object = {}) {
  const providerMessageId = newWamid()
  const id = `o_${world.service.context.ids.uuid()}`
  const isQueued = status === 'queued'
  await world.database.db.kysely
    .insertInto('message')
    .values({
      id,
      companyId: shop.companyId,
      channelId: shop.channelId,
      conversationId,
      direction: 'out',
      sender: 'flow',
      type: 'text',
      providerMessageId,
      status,
      ...(isQueued && { outbound: '{}', dueAt: at(1_000), attempt: 1, lane: 3 }),
      ...times,
      occurredAt: world.clock.now(),
      createdAt: world.clock.now(),
    })
    .execute()
  return { id, providerMessageId }
}
const stateOf = (id: string) =>
  world.database.db.kysely
    .selectFrom('message')
    .select(['status', 'sentAt', 'deliveredAt', 'readAt', 'failedAt', 'dueAt', 'outbound'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const TOLD = ['sent', 'delivered', 'read', 'failed'] as const
const times = (status: string) => ({
  ...(['sent', 'delivered', 'read'].includes(status) && { sentAt: at(1) }),
  ...(['delivered', 'read'].includes(status) && { deliveredAt: at(2) }),
  ...(status === 'read' && { readAt: at(3) }),
})

describe('by whichever way a receipt goes, a message comes to the same', () => {
  test.each(SENT_MESSAGE_STATUSES)('from %s', async (status) => {
    const before = times(status)
    for (const told of TOLD) {
      const [here, there] = [await sent(status, before), await sent(status, before)]
      expect(await desk(receipt(here.providerMessageId, told, 10))).toBeNull()
      await takeInBatch(world.service.context, [receipt(there.providerMessageId, told, 10)])
      expect({ told, ...(await stateOf(here.id)) }).toEqual({ told, ...(await stateOf(there.id)) })
    }
  })

  test('told of at once, and again, in any order', async () => {
    for (const told of [
      TOLD.slice(0, 3),
      TOLD.slice(0, 3).toReversed(),
      ['read', 'read', 'sent'],
    ]) {
      const [here, there] = [await sent(), await sent()]
      const of = ({ providerMessageId }: typeof here) =>
        told.map((status, place) => receipt(providerMessageId, status as 'sent', place))
      expect(await Promise.all(of(here).map(desk))).toEqual([null, null, null])
      await takeInBatch(world.service.context, of(there))
      expect({ told, ...(await stateOf(here.id)) }).toEqual({ told, ...(await stateOf(there.id)) })
    }
  })
})

test('Who holds its conversation and its run does not hold it up', async () => {
  const { id, providerMessageId } = await sent()
  const holder = await world.database.db.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from conversation for update')
    await desk(receipt(providerMessageId, 'delivered', 1))
    expect((await stateOf(id)).status).toBe('delivered')
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('A send whose outcome is open is told by it: its run is due at once', async () => {
  const { kysely } = world.database.db
  const { id: runId } = await kysely
    .insertInto('flowRun')
    .values({
      id: world.service.context.ids.uuid(),
      companyId: shop.companyId,
      flowId: shop.flowId,
      flowVersionId: shop.versionId,
      channelId: shop.channelId,
      conversationId,
      triggerKind: 'manual',
      status: 'waiting',
      waitKind: 'sent',
      waitUntil: at(1_000),
      wakeAt: at(1_000),
      createdAt: world.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { providerMessageId } = await sent('unknown', { runId })
  await desk(receipt(providerMessageId, 'sent', 1))
  const run = await kysely
    .selectFrom('flowRun')
    .select('wakeAt')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(run.wakeAt).toEqual(world.clock.now())
})

test('Of a channel that is gone, or goes by another route, it moves nothing', async () => {
  const { id, providerMessageId } = await sent()
  const moved = { ...channel, route: 'by another route' }
  const told = { ...receipt(providerMessageId, 'read', 1), channel: moved }
  expect(await desk(told)).toBeInstanceOf(ChannelGone)
  expect((await stateOf(id)).status).toBe('accepted')
})
