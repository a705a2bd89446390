/**
 * A statement takes effect and its answer is lost, because the connection or the database fails. Unsent
 * messages are sent once, and claimed rows are processed, as soon as the database is available. The clock does
 * not move, so no lease ends.
 */
import { afterAll, afterEach, expect, test } from 'vitest'
import { createWorker } from '../../src/workers/worker.ts'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import type { LostClaim } from '../../src/infra/database/after-commit.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { startLosingProxy, type LosingProxy } from '../support/losing-proxy.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { raisePings } from '../support/deliveries.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { messageOf, messagesOf } from '../support/records/messages.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { runsOf } from '../support/records/runs.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { callThenTell, openCalls, orderTexts } from '../flows/calling-shops.ts'

let proxy!: LosingProxy
const { world, whatsApp, api, openShop, runOf, textsOf } = await openCalls({
  async through(behind) {
    proxy = await startLosingProxy(behind)
    return proxy.connection
  },
})
const { afterCommit } = world.service.context.db
afterAll(() => proxy.close())
afterEach(() => {
  proxy.up()
  afterCommit.runDispatcher = null
})

/** Each connection of the pool may fail once. */
const MAX_FAILURES = 20

const BEGIN_SEND = /update message set status = 'sending'/
const START_ATTEMPT = /update flow_run_step set call_attempts/
const QUEUE_MESSAGE = /insert into message \(id, company_id, conversation_id, channel_id, sender/
const CLAIM_RUNS = /with recursive walked[^]*update "run_queue" set claim_id/
const CLAIM_SENDS = /update message set claim_id/
const CLAIM_DELIVERIES = /update delivery_queue set claim_id = \$/
const ACCEPT_HOOK = /insert into flow_run/

/** Places an order, and lets its run go on while the answer to a statement is lost. */
async function orderLosing(shop: ConnectedShop, statement: RegExp, thenDown = false) {
  const phone = newPhone()
  const runId = await shop.order(phone)
  const lost = proxy.loseAnswerTo(statement, { thenDown })
  const settled = settleThrough()
  await lost
  proxy.up()
  await settled
  return { runId, phone }
}

/** Processes work until nothing is due, also when workers fail because the database is unavailable. */
async function settleThrough(failures = 0): Promise<void> {
  try {
    await whatsApp.settle()
  } catch (error) {
    if (failures === MAX_FAILURES || !isDatabaseUnavailable(error)) throw error
    await settleThrough(failures + 1)
  }
}

test.each([false, true])(
  'A message is sent once when the answer to its begin was lost (down: %s)',
  async (thenDown) => {
    const shop = await whatsApp.openShop()
    const { runId, phone } = await orderLosing(shop, BEGIN_SEND, thenDown)
    expect(whatsApp.sentTo(phone)).toHaveLength(1)
    expect(await messagesOf(world, { runId })).toMatchObject([{ claimId: null, attempt: 1 }])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  },
)

test('A POST is sent once when only the answer to its begin was lost', async () => {
  const shop = await openShop(callThenTell({ method: 'POST' }))
  const { runId } = await orderLosing(shop, START_ATTEMPT)
  expect(api.requests).toHaveLength(1)
  expect(await textsOf(runId)).toEqual(orderTexts('success'))
})

test('An advance whose commit lost its answer is not repeated, and its message is sent', async () => {
  const shop = await whatsApp.openShop()
  const { runId, phone } = await orderLosing(shop, QUEUE_MESSAGE)
  expect(whatsApp.sentTo(phone)).toHaveLength(1)
  expect(await runOf(runId)).toMatchObject({ status: 'waiting', steps: 1 })
})

test('Runs are released when the answer to their claim was lost', async () => {
  const shop = await whatsApp.openShop()
  const { runId, phone } = await orderLosing(shop, CLAIM_RUNS)
  expect(whatsApp.sentTo(phone)).toHaveLength(1)
  expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
})

test('Messages are released when the answer to their claim was lost', async () => {
  const shop = await whatsApp.openShop()
  const conversationId = await addConversation(world, shop)
  const id = await addQueuedMessage(world, { ...shop, conversationId })
  const lost = proxy.loseAnswerTo(CLAIM_SENDS)
  await expect(processUnwoken(world)).rejects.toThrow('Connection terminated')
  await lost
  expect(await messageOf(world, id)).toMatchObject({ status: 'queued' })
  await whatsApp.settle()
  expect(await messageOf(world, id)).toMatchObject({ status: 'failed', claimId: null })
})

test('Deliveries are released when the answer to their claim was lost', async () => {
  const shop = await whatsApp.openShop()
  await raisePings(world, shop)
  const lost = proxy.loseAnswerTo(CLAIM_DELIVERIES)
  await expect(world.service.processAll()).rejects.toThrow('Connection terminated')
  await lost
  await whatsApp.settle()
  expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 1 }])
})

test('A run of a hook whose answer was lost goes on without its claim', async () => {
  const shop = await whatsApp.openShop()
  const { ids } = world.service.context
  afterCommit.runDispatcher = { eagerClaimFor: () => ids.uuid(), take() {} }
  const lost = proxy.loseAnswerTo(ACCEPT_HOOK)
  const phone = newPhone()
  const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
  const answer = postHook(shop.hookUrl, body)
  await lost
  expect((await answer).http).toBe(503)
  await whatsApp.settle()
  expect(await runsOf(world, shop)).toMatchObject([{ status: 'waiting', claimId: null }])
  expect(whatsApp.sentTo(phone)).toHaveLength(1)
})

test('A row that a process abandoned during an outage is released, and no other row of its claim', async () => {
  const shop = await whatsApp.openShop()
  const runIds = [await shop.order(newPhone()), await shop.order(newPhone())]
  const { context } = world.service
  const lost: LostClaim[] = []
  const { releaseClaims: lose } = afterCommit
  afterCommit.releaseClaims = (claims) => {
    lost.push(...claims)
    lose(claims)
  }
  const held = Promise.withResolvers<void>()
  const worker = createWorker(
    context,
    {
      name: 'test',
      queue: RUN_QUEUE,
      places: { maxConcurrent: 2 },
      wakesAtEnd: false,
      take({ id }) {
        if (id === runIds[0]) return Promise.reject(new Error('Connection terminated'))
        return held.promise
      },
      onError() {},
    },
    { claimId: () => context.ids.uuid(), onProgress() {} },
  )
  await worker.work()
  await expect.poll(() => worker.inFlight()).toBe(1)
  afterCommit.releaseClaims = lose
  expect(lost).toEqual([{ id: runIds[0], claimId: expect.any(String) }])
  await whatsApp.settle()
  const states = [await runOf(runIds[0]!), await runOf(runIds[1]!)]
  expect(states).toMatchObject([
    { status: 'waiting', claimId: null },
    { claimId: lost[0]!.claimId },
  ])
  held.resolve()
  await worker.drain()
  lose([{ claimId: lost[0]!.claimId }])
  await processUnwoken(world)
})
