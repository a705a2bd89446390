/** Advances of many runs in one transaction: the promises for each hold as if it were alone. */
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { cancelRuns } from '../../src/modules/flows/runs/cancel-runs.sql.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { lockRuns, loadRuns } from '../../src/modules/flows/runs/load-runs.sql.ts'
import type { CompletedCall } from '../../src/modules/connections/make-call.ts'
import { deferJob } from '../../src/infra/database/queues/defer-job.ts'
import { RUN_RETRIES } from '../../src/modules/flows/runs/run-retries.ts'
import { advanceRuns, type AdvanceResult } from '../../src/modules/flows/runs/advance-runs.ts'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { createRunBatcher } from '../../src/workers/run-batcher.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { holdTimers } from '../support/held-timers.ts'
import { optOut } from '../support/records/contacts.ts'
import { conversationOf } from '../support/records/conversations.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { holdLock } from '../support/records/locks.ts'
import { messagesOf } from '../support/records/messages.ts'
import { putRun, repeatRun, runOf as runWith, runsOf } from '../support/records/runs.ts'
import { claimDue, createRunExecutor, advanceDueRuns, advanceDeps } from '../support/advances.ts'
import { waitUntil } from '../support/wait.ts'
import { callStep, connectApi } from '../support/shop-api.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { ASKING } from './triggers/trigger-stories.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp({
  databasePool: '8',
  // All shops use one address.
  addressLimit: createAddressLimit(1_000),
})
const shop = await whatsApp.openShop()

// Every hook URL has a limit of requests in a minute.
beforeEach(() => world.clock.advance(61_000))

const { db } = world.service.context
const { sentTo } = whatsApp
const runOf = (id: string) => runWith(world, id)
const claimAll = () => claimDue(world)
const kinds = (turns: readonly AdvanceResult[]) => turns.map(({ kind }) => kind)

describe('A conversation that another transaction has locked', () => {
  test('is left for a later batch, without a wait; the other runs advance', async () => {
    const phones = [newPhone(), newPhone(), newPhone()]
    for (const phone of phones) await shop.order(phone)
    const asked = await claimAll()
    await using lock = await holdLock(world, { conversationId: asked[1]!.run.conversationId })
    expect(kinds(await advanceRuns(advanceDeps(world), asked))).toEqual(['idle', 'locked', 'idle'])
    expect(await runOf(asked[1]!.run.id)).toMatchObject({ status: 'queued', steps: 0 })
    await lock.release()
    expect(kinds(await advanceRuns(advanceDeps(world), asked))).toEqual(['idle', 'idle', 'idle'])
    await whatsApp.settle()
    for (const phone of phones) expect(sentTo(phone)).toHaveLength(1)
  })

  test('is tried again by the batcher until it is free', async () => {
    const runId = await shop.order(newPhone())
    const [asked] = await claimAll()
    await using lock = await holdLock(world, { conversationId: asked!.run.conversationId })
    const timers = holdTimers(RUN_LIMITS.lockedRetryMs, RUN_LIMITS.lockedRetryMs)
    onTestFinished(() => timers.release())
    const turn = createRunBatcher(advanceDeps(world))(asked!)
    const foundHeld = () =>
      waitUntil('the batcher to find the conversation locked', () => timers.count() > 0)
    for (let times = 0; times < 3; times += 1) await foundHeld().then(timers.elapse)
    await foundHeld()
    await lock.release()
    // Other work of this process waits for as long, so this test may have elapsed its timers.
    timers.release()
    expect(await turn).toMatchObject({ kind: 'idle' })
    expect(await runOf(runId)).toMatchObject({ status: 'running', steps: 1 })
    await whatsApp.settle()
  })
})

test('A change that commits between the locks and the reads of a batch is seen by it', async () => {
  const runId = await shop.order(newPhone())
  const [asked] = await claimAll()
  const { contactId } = await runOf(runId)
  await transaction(db, async (tx) => {
    const locked = await lockRuns(tx, [asked!.run])
    expect([...locked]).toEqual([runId])
    await optOut(world, contactId!)
    const [hand] = await loadRuns(tx, [...locked])
    expect(hand!.contact!.optedOutAt).toEqual(world.clock.now())
  })
  await advanceRuns(advanceDeps(world), [asked!])
  expect(await runOf(runId)).toMatchObject({ status: 'skipped' })
})

systemTest('A reply that arrives when its run is claimed is its answer', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  world.clock.advance(DAY_MS)
  const asked = await claimAll()
  // The reply arrives after the run was claimed for its time-out, before its batch reads.
  const text = 'In time after all'
  await customerWrites(world, shop, { from: phone, text })
  await advanceRuns(advanceDeps(world), asked)
  const { variables, status } = await runOf(runId)
  expect(status).toBe('completed')
  expect(JSON.parse(variables)).toMatchObject({ answer: text })
  await whatsApp.settle()
})

test('Messages of one second are read in the order in which they arrived, by any plan of the query', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  const texts = ['one', 'two', 'three', 'four', 'five', 'six']
  const at = world.clock.now()
  await customerWrites(world, shop, ...texts.map((text) => ({ from: phone, text, at })))
  await transaction(db, async (tx) => {
    // The plan follows the ids of the messages, which derive from the provider's ids.
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    const [hand] = await loadRuns(tx, [runId])
    expect(hand!.replies.map(({ text }) => text)).toEqual(texts)
  })
  await whatsApp.settle()
})

test('A batch has only one run of each conversation', async () => {
  const phone = newPhone()
  const [first, second] = [await shop.order(phone), await shop.order(phone)]
  const asked = await claimAll()
  expect(asked.map(({ run }) => run.conversationId)).toEqual(
    Array(2).fill(asked[0]!.run.conversationId),
  )
  const taken: number[] = []
  const deps = advanceDeps(world)
  const batcher = createRunBatcher({
    ...deps,
    readVersion: async (tx, versionId) => {
      const runs = await Promise.all([first, second].map(runOf))
      taken.push(runs.filter(({ steps }) => steps > 0).length)
      return deps.readVersion(tx, versionId)
    },
  })
  await Promise.all(asked.map(batcher))
  // The second was read after the first had been written.
  expect(taken).toEqual([0, 1])
  await whatsApp.settle()
  expect(sentTo(phone)).toHaveLength(2)
})

test('A cancelled run ends immediately, and its queued message is not sent', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await advanceDueRuns(world)
  expect(await runOf(runId)).toMatchObject({ status: 'running', steps: 1 })
  const why = fact('run_cancelled_by_member')
  await transaction(db, (tx) => cancelRuns(tx, world.clock.now(), { runIds: [runId] }, why))
  await advanceDueRuns(world)
  expect(await runOf(runId)).toMatchObject({ status: 'cancelled', endDetail: serializeFact(why) })
  await whatsApp.settle()
  expect(sentTo(phone)).toEqual([])
})

systemDescribe('A run whose advance fails', () => {
  const RUNS = 128
  let asking: ConnectedShop
  beforeAll(async () => {
    asking = await whatsApp.openShop({
      start: 'note',
      steps: {
        note: { kind: 'set_variable', name: 'noted', text: 'yes', next: 'ask' },
        ask: { ...ASKING.ask, timeoutMinutes: 4_320 },
      },
    })
  })

  /** Returns as many runs as a batch holds, copies of one, each with a separate customer. */
  async function manyRuns() {
    const runId = await asking.order(newPhone())
    await repeatRun(world, runId, RUNS - 1, { ownConversations: true })
    const asked = await claimAll()
    expect(asked).toHaveLength(RUNS)
    return asked
  }

  test('waits 1, 5 and 30 min, then fails; the 127 others of its batch continue', async () => {
    const asked = await manyRuns()
    const poisoned = asked[77]!.run.id
    onTestFinished(await refuseWrites(world, 'a step of a run', { runId: poisoned }))
    const execute = createRunExecutor(world)
    await Promise.all(asked.map(execute))
    const others = (await runsOf(world, asking)).filter(({ id }) => id !== poisoned)
    const goneOn = others.filter(({ status, steps }) => status === 'waiting' && steps === 1)
    expect(goneOn).toHaveLength(RUNS - 1)
    for (const delayMs of RUN_LIMITS.retryDelaysMs) {
      const run = await runOf(poisoned)
      expect(run).toMatchObject({ status: 'queued', claimId: null })
      expect(run.dueAt!.getTime() - world.clock.now().getTime()).toBe(delayMs)
      world.clock.advance(delayMs)
      const due = (await claimAll()).filter(({ run: { id } }) => id === poisoned)
      expect(due).toHaveLength(1)
      await execute(due[0]!)
    }
    expect(await runOf(poisoned)).toMatchObject({ status: 'failed', endReason: 'error' })
    expect(asking.events('flow.failed')).toEqual([])
    await whatsApp.settle()
    expect(asking.events('flow.failed')).toMatchObject([{ data: { run: { id: poisoned } } }])
  })

  test('because its plan throws writes nothing, and waits', async () => {
    const broken = await shop.order(newPhone())
    const sound = await shop.order(newPhone())
    const { variables } = await runOf(broken)
    await putRun(world, broken, { variables: 'not JSON' })
    const asked = await claimAll()
    await Promise.all(asked.map(createRunExecutor(world)))
    expect(await runOf(broken)).toMatchObject({ status: 'queued', failureCount: 1, steps: 0 })
    expect(await runOf(sound)).toMatchObject({ status: 'running', steps: 1 })
    await putRun(world, broken, { variables })
    world.clock.advance(RUN_LIMITS.retryDelaysMs[0])
    await whatsApp.settle()
    expect(await runOf(broken)).toMatchObject({ status: 'waiting', failureCount: 0 })
  })
})

test('A run that fails in this way leaves a customer to staff who wrote to it or started it', async () => {
  const answering = newPhone()
  const answered = await shop.order(answering)
  await whatsApp.settle()
  await customerWrites(world, shop, { from: answering, text: 'Yes' })
  const asking = await whatsApp.openShop({
    trigger: { kind: 'keyword', words: ['menu'] },
    steps: { tell: { kind: 'send_message', text: 'Here it is', next: null } },
  })
  await customerWrites(world, asking, { from: newPhone(), text: 'menu' })
  const due = await claimAll()
  const theirs = due.filter(({ run }) => run.id === answered || run.companyId === asking.companyId)
  expect(theirs).toHaveLength(2)
  for (const { run } of theirs) {
    await putRun(world, run.id, { failureCount: RUN_LIMITS.retryDelaysMs.length })
    expect(await deferJob(world.service.context, RUN_RETRIES, run)).toMatchObject({ dueAt: null })
    expect(await runOf(run.id)).toMatchObject({ status: 'failed' })
    const its = await conversationOf(world, run.conversationId)
    expect(its).toMatchObject({ needsStaff: true })
  }
  await whatsApp.settle()
})

test('The result of a call is written once conflicting locks are released', async () => {
  const id = world.service.context.ids.uuid()
  const call = callStep(id, {}, { next: null, onFailure: null, keep: [] })
  const calling = await whatsApp.openShop({ steps: { call }, start: 'call' })
  await connectApi(world, { id, companyId: calling.companyId, baseUrl: 'https://api.shop.example' })
  const runId = await calling.order(newPhone())
  const [asked] = await claimAll()
  const made = { outcome: 'success', httpStatus: 201, attempts: 1, durationMs: 5 } as const
  const { readVersion } = advanceDeps(world)
  let [calls, advances] = [0, 0]
  const execute = createRunExecutor(world, {
    makeCall() {
      calls += 1
      return Promise.resolve(made as CompletedCall)
    },
    readVersion(tx, versionId) {
      advances += 1
      const lockTimeout = Object.assign(new Error('lock timeout'), { code: '55P03' })
      // The second advance has the result of the call.
      return advances === 2 ? Promise.reject(lockTimeout) : readVersion(tx, versionId)
    },
  })
  await execute(asked!)
  expect([calls, advances]).toEqual([1, 3])
  const run = await runOf(runId)
  expect(run).toMatchObject({ status: 'completed', failureCount: 0 })
  expect(JSON.parse(run.variables)).toMatchObject({ http_status: '201' })
})

test('A batch whose commit was not confirmed is written once', async () => {
  const phones = Array.from({ length: 10 }, newPhone)
  for (const phone of phones) await shop.order(phone)
  const asked = await claimAll()
  expect(kinds(await advanceRuns(advanceDeps(world), asked))).toEqual(Array(10).fill('idle'))
  // The worker got no confirmation, and repeats the batch.
  const again = await advanceRuns(advanceDeps(world), asked)
  expect(again).toEqual(Array.from({ length: 10 }, () => ({ kind: 'idle', queued: [] })))
  for (const { run } of asked) {
    expect(await messagesOf(world, { runId: run.id })).toHaveLength(1)
  }
  await whatsApp.settle()
  for (const phone of phones) expect(sentTo(phone)).toHaveLength(1)
})

systemTest('More due runs than database connections all send once', async () => {
  const RUNS = RUN_LIMITS.maxConcurrent + 8
  // All of them read a version that no earlier run has read, inside their transactions.
  // One shop posts no more requests than its rate limit allows.
  const shops = await Promise.all(Array.from({ length: 4 }, () => whatsApp.openShop()))
  const phones = Array.from({ length: RUNS }, newPhone)
  const runs = await Promise.all(phones.map((phone, place) => shops[place % 4]!.order(phone)))
  await whatsApp.settle()
  for (const phone of phones) {
    expect(sentTo(phone)).toHaveLength(1)
    whatsApp.simulator.tapButton({ from: phone })
  }
  await whatsApp.settle()
  const ended = shops
    .flatMap((one) => one.events('flow.completed'))
    .map(({ data }) => (data.run as { id: string }).id)
  expect(ended.toSorted()).toEqual(runs.toSorted())
})
