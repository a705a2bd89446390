/**
 * Rows that have left a queue stay in its indexes while an older transaction is open, such as that of a backup. Once a
 * statement took long for that reason, the following ones read none of these rows, and find every due row nevertheless.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../../src/infra/database/queues/claim.sql.ts'
import type { EagerDelivery } from '../../src/infra/database/after-commit.ts'
import { lowerBoundOf } from '../../src/infra/database/queues/lower-bound.ts'
import { nextDue } from '../../src/infra/database/queues/next-due.sql.ts'
import {
  FIRST_ID,
  type Claimable,
  type Queue,
  type Since,
} from '../../src/infra/database/queues/queue.ts'
import { findClaimingNodes } from '../../src/infra/database/queues/claiming-nodes.sql.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { releaseExpired } from '../../src/infra/database/queues/release.sql.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { createMetrics } from '../../src/infra/metrics.ts'
import { endSentReplies } from '../../src/modules/assistant/record-reply-outcome.sql.ts'
import { REPLY_QUEUE } from '../../src/modules/assistant/reply-queue.ts'
import {
  claimDeliveries,
  DELIVERY_QUEUE,
  DELIVERY_QUEUES,
} from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { enqueueDueDeliveries } from '../../src/modules/deliveries/enqueue-due.sql.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import {
  claimSends,
  renewRefusedSends,
  SEND_QUEUE,
} from '../../src/modules/messaging/claim-sends.sql.ts'
import { recordThrottle } from '../../src/modules/messaging/channel-throttle.sql.ts'
import { claimThrottledSends } from '../../src/modules/messaging/claim-throttled-sends.sql.ts'
import { oldestMessageIdAt } from '../../src/modules/messaging/queue-message.ts'
import { createDeliveriesWorker } from '../../src/workers/deliveries.ts'
import { createMessagesWorker } from '../../src/workers/messages.ts'
import { releaseInEveryQueue } from '../../src/workers/queues.ts'
import { createWorker } from '../../src/workers/worker.ts'
import type { ConcurrentWorker } from '../../src/workers/worker-loop.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { deliveryOf, ENDED, leaveEndedRows, pagesOf } from '../support/ended-rows.ts'
import { holdSnapshot } from '../support/hold-snapshot.ts'
import { openWorld } from '../support/open-world.ts'
import { claimAs, claimOf } from '../support/records/any-table.ts'
import { addChannel } from '../support/records/channels.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addDeliveries, deliveriesOf } from '../support/records/deliveries.ts'
import { addBody } from '../support/records/events.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { createShop } from '../support/shop.ts'
import { watchStatements, type Statement } from '../support/statements.ts'
import { WAITING_ROWS } from '../support/waiting-rows.ts'

/** Pages that a statement may read. It reads thousands if it visits every row that has left its queue. */
const MAX_PAGES = 500
/** A duration that leads to a lower bound. */
const LONG_MS = 51

let sent: Statement[] = []
/** The duration of each statement, by the clock. */
let statementMs = 0
const stopWatching = watchStatements((statement) => {
  sent.push(statement)
  if (statementMs > 0) clock.advance(statementMs)
})
const world = await openWorld({ hasOwnDatabase: true })
const { clock } = world
const { db, ids, log } = world.service.context
const shop = await createShop(world)
const place = { ...shop, shop }
const pool = world.database.db.pool
let endSnapshot: () => void
beforeAll(async () => {
  endSnapshot = await holdSnapshot(pool)
})
afterAll(() => {
  endSnapshot()
  stopWatching()
})

/** Works while each statement takes so long that a lower bound applies afterwards. Returns the worker. */
async function slowed<Of extends ConcurrentWorker>(worker: Of): Promise<Of> {
  statementMs = LONG_MS
  await worker.work()
  statementMs = 0
  await worker.work()
  return worker
}

const inMs = (ms: number) => new Date(clock.now().getTime() + ms)
const never = () => new Promise<never>(() => {})
const claimId = ids.uuid

/** The statements of a pass of a queue's worker, and the worker, whose work never ends. */
type Kind = {
  queue: Claimable
  claim(since: Since): Promise<readonly unknown[]>
  more?: Record<string, (since: Since) => Promise<unknown>>
  worker(): ConcurrentWorker
}

const genericKind = (queue: Queue): Kind => ({
  queue,
  claim: async (since) =>
    (await claim(db.kysely, queue, { now: clock.now(), since, claimId: claimId(), limit: 100 }))
      .rows,
  worker: () =>
    createWorker(
      { db, clock, log },
      {
        name: queue.name,
        queue: queue as never,
        places: { maxConcurrent: 4 },
        take: never,
        onError: () => {},
        wakesAtEnd: false,
      },
      { claimId, onProgress: () => {} },
    ),
})

const deliveriesWorker = (onProgress = () => {}) =>
  createDeliveriesWorker(world.service.context, {
    outbound: { send: never } as never,
    keyRing: world.service.keyRing,
    meter: createMetrics().deliveries,
    nodes: { claimId, missing: () => [] },
    onProgress,
  })

const messagesWorker = () =>
  createMessagesWorker(world.service.context, {
    openChannel: never,
    claimId,
    random: () => {},
    onSettled: () => {},
    onProgress: () => {},
  })

const KINDS: readonly Kind[] = [
  {
    queue: DELIVERY_QUEUE,
    async claim(since) {
      const queues = DELIVERY_QUEUES.map((queue) => ({ queue, free: 100, after: FIRST_ID }))
      const request = { now: clock.now(), since, claimId: claimId(), queues }
      return (await claimDeliveries(db.kysely, request)).deliveries
    },
    more: {
      enqueue: (since) => enqueueDueDeliveries(db.kysely, { now: clock.now(), since, notLive: [] }),
    },
    worker: () => deliveriesWorker(),
  },
  genericKind(RUN_QUEUE),
  {
    ...genericKind(REPLY_QUEUE),
    more: {
      end: (since) => endSentReplies(db.kysely, clock.now(), { why: fact('reply_sent'), since }),
    },
  },
  {
    queue: SEND_QUEUE,
    async claim(since) {
      const request = { now: clock.now(), since, claimId: claimId(), limit: 100, without: [] }
      return (await claimSends(db.kysely, request)).messages
    },
    more: { renew: (since) => renewRefusedSends(db.kysely, clock.now(), since) },
    worker: messagesWorker,
  },
]

/** Returns the lower bound of a queue after a statement that took long. */
async function boundOf(queue: Claimable): Promise<Since> {
  const bound = lowerBoundOf({ db, clock }, queue)
  await bound.read(() => Promise.resolve(clock.advance(LONG_MS)))
  return bound.read((since) => Promise.resolve(since))
}

/** Returns the statement that a call sends. */
async function statementOf(call: () => Promise<unknown>): Promise<Statement> {
  sent = []
  await call()
  return sent.findLast(({ text }) => /\b(?:select|update)\b/.test(text))!
}

/** Returns the pages that a call's statement reads when it is repeated with the same values. */
const pages = async (call: () => Promise<unknown>) => pagesOf(pool, await statementOf(call))

/** Gives a delivery a body: without one it would end when it is claimed. */
async function addBodyTo(id: string) {
  for (const delivery of await deliveriesOf(world, place))
    if (delivery.id === id) await addBody(world, delivery)
}

/** Adds a row of a queue that was due at a time. Returns its key, and a function that cancels it. */
async function addDue(queue: Claimable, dueAt: Date) {
  const { add, cancel } = WAITING_ROWS[queue.name]!
  const then = { ...clock, now: () => dueAt }
  const service = { ...world.service, context: { ...world.service.context, clock: then } }
  const id = await add({ ...world, service, clock: then }, place)
  await addBodyTo(id)
  return { id, cancel: () => cancel(world, { id, ...place }) }
}

describe.each(KINDS.map((kind): [string, Kind] => [kind.queue.name, kind]))(
  'With an old transaction open, the queue of %s',
  (name, kind) => {
    const { queue } = kind
    const calls: Record<string, (since: Since) => Promise<unknown>> = {
      claim: kind.claim,
      ...kind.more,
      next: (since) => nextDue(db.kysely, queue, since),
      release: (since) => releaseExpired(db.kysely, queue, clock.now(), { since }),
    }

    test('is read without the rows that have left it', async () => {
      const latest = inMs(-5 * MINUTE_MS)
      await leaveEndedRows(pool, ENDED[name]!, { companyId: shop.companyId, latest })
      const since = await boundOf(queue)
      const dear: Record<string, number> = {}
      for (const [what, call] of Object.entries(calls)) {
        const read = await pages(() => call(since))
        if (read >= MAX_PAGES) dear[what] = read
      }
      expect(dear).toEqual({})
    })

    test('is claimed as cheaply when a row is due', async () => {
      const since = await boundOf(queue)
      const statement = await statementOf(() => kind.claim(since))
      const { cancel } = await addDue(queue, clock.now())
      expect(await pagesOf(pool, statement)).toBeLessThan(MAX_PAGES)
      expect(await kind.claim(since)).toHaveLength(1)
      await cancel()
    })
  },
)

test('With an old transaction open, the nodes that claim are found without reading claims that have ended', async () => {
  const queues = KINDS.map(({ queue }) => queue)
  const find = (since: Since) => findClaimingNodes(db.kysely, { queues, asking: '0badcafe', since })
  expect(await pages(() => find(inMs(-20 * SECOND_MS)))).toBeLessThan(MAX_PAGES)
})

test('With an old transaction open, an event is raised without reading the deliveries that have ended', async () => {
  const endpointId = await addEndpoint(world, shop)
  const latest = inMs(-5 * MINUTE_MS)
  await leaveEndedRows(pool, deliveryOf(endpointId), { companyId: shop.companyId, latest })
  const worker = await slowed(deliveriesWorker())
  const { reserve } = worker.dispatcher
  db.afterCommit.deliveryDispatcher = { reserve, take: () => {}, endpointsChanged: () => {} }
  sent = []
  await raisePings(world, shop)
  db.afterCommit.deliveryDispatcher = null
  const raised = sent.find(({ text }) => text.includes('insert into webhook_delivery'))!
  const id = claimId()
  const ofAnother = raised.values.with(0, [id]).with(7, [id])
  expect(await pagesOf(pool, { ...raised, values: ofAnother })).toBeLessThan(MAX_PAGES)
})

describe.each(KINDS.map((kind): [string, Kind] => [kind.queue.name, kind]))(
  'The worker of %s',
  (_, { queue, worker: createWorkerOfKind }) => {
    let added: { cancel(): Promise<unknown> }[] = []
    afterEach(async () => {
      for (const { cancel } of added.splice(0)) await cancel()
    })
    const add = async (dueAt: Date) => {
      const row = await addDue(queue, dueAt)
      added.push(row)
      return row
    }

    const slowWorker = () => slowed(createWorkerOfKind())

    test('claims a row that is written an hour after its due time immediately if none took long', async () => {
      const worker = createWorkerOfKind()
      await worker.work()
      const before = worker.inFlight()
      await add(inMs(-HOUR_MS))
      await worker.work()
      expect(worker.inFlight()).toBe(before + 1)
    })

    test('claims such a row five seconds later if a statement took long', async () => {
      const worker = await slowWorker()
      await add(inMs(-HOUR_MS))
      await worker.work()
      expect(worker.inFlight()).toBe(0)
      clock.advance(20 * SECOND_MS)
      await worker.work()
      expect(worker.inFlight()).toBe(1)
    })

    test('claims such a row immediately once the claims of a dead process were released', async () => {
      const worker = await slowWorker()
      await add(inMs(-HOUR_MS))
      await releaseInEveryQueue(db.kysely, () => Promise.resolve(1))
      await worker.work()
      expect(worker.inFlight()).toBe(1)
    })

    test('claims a row that is written 15 s after its due time immediately, although a statement took long', async () => {
      const worker = await slowWorker()
      await add(inMs(-15 * SECOND_MS))
      await worker.work()
      expect(worker.inFlight()).toBe(1)
    })

    test('claims a row in the pass in which its lease ends, although a statement took long', async () => {
      const { id } = await add(inMs(-HOUR_MS))
      const at = { table: queue.table, column: queue.key ?? 'id', id }
      const lost = claimId()
      await claimAs(world, at, lost, inMs(2 * SECOND_MS))
      const worker = await slowWorker()
      expect(await claimOf(world, at)).toBe(lost)
      clock.advance(3 * SECOND_MS)
      await worker.work()
      expect(await claimOf(world, at)).not.toBe(lost)
      // A message that was being sent is not sent again.
      expect(worker.inFlight()).toBe(queue === SEND_QUEUE ? 0 : 1)
    })
  },
)

test('With an old transaction open, a throttled channel is claimed without the messages of other channels', async () => {
  const channelId = await addChannel(world, shop, { type: 'whatsapp_qr' })
  await transaction(db, (tx) => recordThrottle(tx, [channelId], clock.now()))
  const asked = { claimId: claimId(), now: clock.now(), limit: 100 }
  expect(await pages(() => claimThrottledSends(db.kysely, asked))).toBeLessThan(MAX_PAGES)
  const next = (since: Since) => nextDue(db.kysely, SEND_QUEUE, since)
  const since = await boundOf(SEND_QUEUE)
  expect(await pages(() => next(since))).toBeLessThan(MAX_PAGES)
})

test('The claim of an old message ends with its lease, although a statement took long', async () => {
  const { companyId, channelId } = shop
  const conversationId = await addConversation(world, { companyId, channelId })
  const id = oldestMessageIdAt(inMs(-HOUR_MS))
  await addQueuedMessage(world, { companyId, channelId, conversationId }, { id })
  const at = { table: 'message', column: 'id', id }
  await claimAs(world, at, claimId(), inMs(2 * SECOND_MS))
  const worker = await slowed(messagesWorker())
  clock.advance(3 * SECOND_MS)
  await worker.work()
  expect(await claimOf(world, at)).toBeNull()
})

test('The deliveries of an endpoint are claimed in their order, however long they have waited', async () => {
  const endpointId = await addEndpoint(world, shop)
  const add = (dueAt: Date) =>
    addDeliveries(world, { ...shop, endpointId }, ['pending'], { queue: 'first', dueAt })
  const [second, third] = [await add(inMs(-HOUR_MS)), await add(clock.now())]
  const first = await add(inMs(-3 * HOUR_MS))
  const claimed: string[] = []
  for (let claims = 0; claims < 3; claims += 1) {
    const since = await boundOf(DELIVERY_QUEUE)
    const queues = [{ queue: 'first' as const, free: 1, after: FIRST_ID }]
    const request = { now: clock.now(), since, claimId: claimId(), queues }
    const { deliveries } = await claimDeliveries(db.kysely, request)
    claimed.push(...deliveries.map(({ id }) => id))
    clock.advance(MINUTE_MS)
  }
  expect(claimed).toEqual([...first, ...second, ...third])
})

test('A delivery that was dispatched in vain is claimed immediately, although a statement took long', async () => {
  const endpointId = await addEndpoint(world, shop)
  const dueAt = inMs(-MINUTE_MS)
  const of = { ...shop, endpointId }
  const [id] = await addDeliveries(world, of, ['pending'], { queue: 'first', dueAt })
  await addBodyTo(id!)
  const claimed = { id: id!, claimId: claimId(), dueAt }
  const at = { table: 'delivery_queue', column: 'id', id: claimed.id }
  await claimAs(world, at, claimed.claimId, inMs(MINUTE_MS))
  let onProgress = () => {}
  const worker = await slowed(deliveriesWorker(() => onProgress()))
  const released = Promise.withResolvers<void>()
  onProgress = released.resolve
  const delivery = { ...of, ...claimed, body: Buffer.alloc(0), target: null, seen: 0 }
  worker.dispatcher.take(0, [delivery as unknown as EagerDelivery], [])
  await released.promise
  expect(await claimOf(world, at)).toBeNull()
  await worker.work()
  expect(await claimOf(world, at)).not.toBeNull()
})
