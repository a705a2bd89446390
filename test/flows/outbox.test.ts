/** A message that was queued and has not been sent. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SendResult } from '../../src/modules/channels/channel-adapter.ts'
import type { SendMessage } from '../../src/modules/channels/open-channel.ts'
import { claimIdOf } from '../../src/infra/database/node-locks.sql.ts'
import { SEND_LIMITS } from '../../src/core/limits/messaging.ts'
import { type AdvanceResult, advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import type { ClaimedRun } from '../../src/modules/flows/runs/run-queue.ts'
import type { StepCallResult } from '../../src/modules/flows/runs/make-step-call.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { beginSend } from '../../src/modules/messaging/mark-sending.sql.ts'
import { createMessagesWorker } from '../../src/workers/messages.ts'
import { renewRefusedSends, SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import type { ClaimedMessage } from '../../src/modules/messaging/queue-message.ts'
import {
  settleSend,
  type ResumableRun,
} from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { templateStep } from '../support/shop.ts'
import { callStep } from '../support/shop-api.ts'
import { endLeases, giveUpNodes } from '../support/queues.ts'
import { putConversation } from '../support/records/conversations.ts'
import { holdLock } from '../support/records/locks.ts'
import { messagesOf as messagesIn } from '../support/records/messages.ts'
import { runOf as runWith } from '../support/records/runs.ts'
import { countedTemplates, templatesByDay } from '../support/records/templates.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { newPhone } from '../support/simulator.ts'
import { claimDue, advanceDeps } from '../support/advances.ts'
import { customerWrites, tellStatus } from '../support/whatsapp-webhook.ts'
import { inTime } from '../support/wait.ts'
import { openWhatsApp } from '../support/open-world.ts'

const settleUnwoken = () => processUnwoken(world).then(whatsApp.settle)
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

const NODE = 'deadbeef'
const { db, ids } = world.service.context
const { sentTo } = whatsApp
const runOf = (id: string) => runWith(world, id)
const messagesOf = (runId: string) => messagesIn(world, { runId })
const messageOf = async (runId: string) => (await messagesOf(runId))[0]!
const nodeDies = () => giveUpNodes(world, SEND_QUEUE, [NODE])
const begin = (message: ClaimedMessage) => beginSend(db, { ...message, now: world.clock.now() })
const settle = (id: string, runId: string, result: SendResult, againAt: Date | null = null) =>
  settleSend(db, { id, runId, result, againAt, runClaimId: ids.uuid(), now: world.clock.now() })

/** Lets the provider refuse a message for now: it is due again after a second. */
function refuseForNow(id: string, runId: string) {
  const error = { code: '130429', class: 'rate', message: 'Slowly' } as const
  const again = new Date(world.clock.now().getTime() + 1_000)
  return settle(id, runId, { outcome: 'refused', error }, again)
}

/** Lets the provider report the status of a message, by this service's id of it. */
const tell = (messageId: string, id: string, status: string) =>
  tellStatus(world, shop, { id, status, biz_opaque_callback_data: messageId })

/** Advances the run for the first time: the process has claimed the message, or leaves it in the table. */
async function queueOne({ claimed }: { claimed: boolean }) {
  await settleUnwoken()
  const phone = newPhone()
  const runId = await shop.order(phone)
  const eagerClaimFor = () => (claimed ? claimIdOf(NODE, ids.uuid()) : null)
  const [turn] = await advanceRuns(
    { ...advanceDeps(world), eagerClaimFor },
    await claimDue(world, 1),
  )
  if (turn?.kind !== 'idle') throw new Error(`the turn was ${turn?.kind}`)
  expect(await messageOf(runId)).toMatchObject({ status: 'queued', attempt: 1 })
  return { phone, runId, queued: turn.queued }
}

describe('A queued message', () => {
  test('is sent once by another process after its lease has expired', async () => {
    const { phone, runId } = await queueOne({ claimed: true })
    await settleUnwoken()
    expect(sentTo(phone)).toEqual([])
    world.clock.advance(SEND_LIMITS.leaseMs + 1)
    await settleUnwoken()
    expect(sentTo(phone)).toHaveLength(1)
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  })

  test('is sent immediately when its node is known to have died, and only once if that node lives', async () => {
    const { phone, queued } = await queueOne({ claimed: true })
    await nodeDies()
    expect(await begin(queued[0]!)).toBeNull()
    await settleUnwoken()
    expect(sentTo(phone)).toHaveLength(1)
  })

  test('is claimed from the table if its process had no free slot', async () => {
    const { phone, runId } = await queueOne({ claimed: false })
    expect(await messageOf(runId)).toMatchObject({ claimId: null })
    await settleUnwoken()
    expect(sentTo(phone)).toHaveLength(1)
  })
})

test('A send that was in flight when its node died is never repeated', async () => {
  const { phone, runId, queued } = await queueOne({ claimed: true })
  expect(await begin(queued[0]!)).toMatchObject({ runId })
  await nodeDies()
  await settleUnwoken()
  expect(sentTo(phone)).toEqual([])
  expect(await messageOf(runId)).toMatchObject({ status: 'unknown', outbound: null, dueAt: null })
  expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'sent' })
})

test('A customer who opted out after a message was queued gets nothing, and the allowance is released', async () => {
  const before = await templatesByDay(world, shop)
  const { phone, runId } = await queueOne({ claimed: false })
  await customerWrites(world, shop, { from: phone, text: 'STOP' })
  await settleUnwoken()
  expect(sentTo(phone)).toEqual([])
  expect(await messageOf(runId)).toMatchObject({ status: 'failed', errorCode: 'opted_out' })
  expect(await runOf(runId)).toMatchObject({ status: 'completed', endReason: 'customer_exited' })
  expect(await templatesByDay(world, shop)).toEqual(before)
})

describe('A message that is tried again', () => {
  /** Returns a run whose message was refused once, and waits in the table for its second try. */
  async function secondTry() {
    const { phone, runId, queued } = await queueOne({ claimed: true })
    const first = queued[0]!
    await begin(first)
    const told = await refuseForNow(first.id, runId)
    await advanceRuns(advanceDeps(world), [{ run: told!, called: null }])
    world.clock.advance(1_000)
    const renew = () => renewRefusedSends(db.kysely, world.clock.now())
    return { phone, runId, first, renew }
  }

  test('is not sent once the provider reports that the first try was sent after all', async () => {
    const { phone, runId, first, renew } = await secondTry()
    expect(await renew()).toBe(1)
    await tell(first.id, `wamid.late.${runId}`, 'delivered')
    await settleUnwoken()
    expect(sentTo(phone)).toEqual([])
    expect(await messagesOf(runId)).toMatchObject([
      { status: 'delivered' },
      { status: 'failed', errorCode: 'sender_ended' },
    ])
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  })

  test('takes over the allowance of its template', async () => {
    const { runId, first, renew } = await secondTry()
    expect(await countedTemplates(world, first.id)).toHaveLength(1)
    expect(await renew()).toBe(1)
    const [, second] = await messagesOf(runId)
    expect(await countedTemplates(world, first.id)).toEqual([])
    expect(await countedTemplates(world, second!.id)).toHaveLength(1)
    await settleUnwoken()
  })

  test('is not sent if staff has taken over since the first try was queued', async () => {
    const { phone, runId, renew } = await secondTry()
    world.clock.advance(1)
    const { conversationId } = await runOf(runId)
    const takenOver = { takenOverAt: world.clock.now(), takenOverUntil: null }
    await putConversation(world, conversationId, { handledBy: 'staff', ...takenOver })
    world.clock.advance(1)
    expect(await renew()).toBe(1)
    await settleUnwoken()
    expect(sentTo(phone)).toEqual([])
    expect((await messagesOf(runId)).at(-1)).toMatchObject({ errorCode: 'staff_handles' })
  })

  test('waits while its conversation or its run is locked, and delays no other', async () => {
    const { phone, runId, renew } = await secondTry()
    const { conversationId } = await runOf(runId)
    for (const what of [{ conversationId }, { runId }]) {
      await using _ = await holdLock(world, what)
      expect(await inTime('the renewal without a wait', renew())).toBe(0)
    }
    await settleUnwoken()
    expect(sentTo(phone)).toHaveLength(1)
  })
})

describe('A send that takes long', () => {
  test('has a separate lease, however long its message waited before', async () => {
    const { runId, queued } = await queueOne({ claimed: true })
    world.clock.advance(SEND_LIMITS.leaseMs - 1)
    await begin(queued[0]!)
    world.clock.advance(SEND_LIMITS.leaseMs - 1)
    await endLeases(world, SEND_QUEUE)
    expect(await messageOf(runId)).toMatchObject({ status: 'sending' })
    world.clock.advance(1)
    await endLeases(world, SEND_QUEUE)
    expect(await messageOf(runId)).toMatchObject({ status: 'unknown' })
    await settleUnwoken()
  })

  test('is not repeated after it was given up and then refused for now', async () => {
    const { phone, runId, queued } = await queueOne({ claimed: true })
    await begin(queued[0]!)
    await nodeDies()
    await settleUnwoken()
    await refuseForNow(queued[0]!.id, runId)
    world.clock.advance(SEND_LIMITS.leaseMs + 1)
    await settleUnwoken()
    expect(await messagesOf(runId)).toMatchObject([{ status: 'failed', dueAt: null }])
    expect(await runOf(runId)).toMatchObject({ status: 'failed' })
    expect(sentTo(phone)).toEqual([])
  })
})

/** Returns the same object with one other method. */
function replaced<Thing extends object, Key extends keyof Thing>(
  thing: Thing,
  key: Key,
  method: Thing[Key],
): Thing {
  return new Proxy(thing, {
    get(target, asked) {
      if (asked === key) return method
      const value: unknown = Reflect.get(target, asked, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('A result that the sending worker received', () => {
  /** Creates a separate worker, whose provider answers as the test says. */
  function worker(send: SendMessage, context = world.service.context) {
    const told: (ResumableRun | null)[] = []
    const made = createMessagesWorker(context, {
      openChannel: () => Promise.resolve(send),
      claimId: () => claimIdOf(NODE, context.ids.uuid()),
      random: (bytes) => bytes,
      onSettled: (run) => told.push(run),
      onProgress: () => {},
    })
    return { made, told }
  }

  test('is written although the ids in it cannot be stored', async () => {
    const { runId, queued } = await queueOne({ claimed: true })
    // This is longer than an index accepts.
    const number = randomBytes(9_000).toString('hex')
    const { made, told } = worker(async () => ({
      outcome: 'accepted',
      providerMessageId: `wamid.${runId}`,
      customer: { number },
    }))
    made.dispatchMessages(queued)
    await made.drain()
    expect(await messageOf(runId)).toMatchObject({ status: 'accepted', claimId: null })
    expect(told).toMatchObject([{ id: runId, wasAccepted: true }])
    world.clock.advance(SEND_LIMITS.leaseMs * 2)
    await settleUnwoken()
  })

  test('reaches the run immediately although the confirmation of its commit was lost', async () => {
    const { runId, queued } = await queueOne({ claimed: true })
    const { context } = world.service
    let isLost = false
    const real = context.db.kysely.getExecutor()
    const lossy = replaced(real, 'executeQuery', async (query) => {
      const answer = await real.executeQuery(query)
      if (isLost || !query.sql.includes('run_claim')) return answer as never
      isLost = true
      throw Object.assign(new Error('the connection was cut'), { code: '57P01' })
    })
    const cut = replaced(context.db.kysely, 'getExecutor', () => lossy)
    const result = { outcome: 'accepted', providerMessageId: `wamid.${runId}` } as const
    const { made, told } = worker(async () => result, {
      ...context,
      db: { ...context.db, kysely: cut },
    })
    made.dispatchMessages(queued)
    await made.drain()
    expect(isLost).toBe(true)
    expect(told).toMatchObject([{ id: runId, claimId: (await runOf(runId)).claimId }])
    world.clock.advance(SEND_LIMITS.leaseMs * 2)
    await settleUnwoken()
  })
})

test('A message keeps the provider id of its receipt, whatever the answer to its send says', async () => {
  const { runId, queued } = await queueOne({ claimed: true })
  const { id } = queued[0]!
  await begin(queued[0]!)
  await tell(id, `wamid.told.${runId}`, 'sent')
  await settle(id, runId, {
    outcome: 'accepted',
    providerMessageId: `wamid.answered.${runId}`,
  })
  expect(await messageOf(runId)).toMatchObject({
    providerMessageId: `wamid.told.${runId}`,
    status: 'sent',
  })
  world.clock.advance(SEND_LIMITS.leaseMs * 2)
  await settleUnwoken()
})

/** Claims the only due run and acts as its worker, which has claimed the run's messages too. */
async function claimedRun(steps: Record<string, unknown>) {
  await settleUnwoken()
  const own = await whatsApp.openShop({ steps, start: Object.keys(steps)[0]! })
  await own.order(newPhone())
  const deps = { ...advanceDeps(world), eagerClaimFor: () => ids.uuid() }
  const take = async (run: ClaimedRun, called: StepCallResult | null = null) =>
    (await advanceRuns(deps, [{ run, called }]))[0]!
  const claimOne = async () => (await claimDue(world, 1))[0]!.run
  const claimed = await claimOne()
  return {
    runId: claimed.id,
    turn: (called: StepCallResult | null) => take(claimed, called),
    /** Advances the run by a worker that finds it due. */
    nextTurn: async () => take(await claimOne()),
    /** Advances the run by the process that recorded the awaited result. */
    toldTurn: (told: ClaimedRun | null) => take(told!),
  }
}

function outcomeOf(turn: AdvanceResult): StepCallResult {
  if (turn.kind !== 'call') throw new Error(`the turn was ${turn.kind}`)
  const { number, step } = turn
  const { method, path } = step.request
  const made = { httpStatus: 200, attempts: 1, durationMs: 5 }
  const call = { method, host: 'api.example.com', path, ...made, failure: null, kept: [] }
  return {
    outcome: { isSuccess: true, kept: {}, ...made },
    closed: { number, status: 'done', detail: null, call },
  }
}

function queuedBy(turn: AdvanceResult) {
  if (turn.kind !== 'idle') throw new Error(`the turn was ${turn.kind}`)
  expect(turn.queued).toHaveLength(1)
  return turn.queued[0]!
}

test('The outcome of a call is not taken for that of the next call', async () => {
  const id = world.service.context.ids.uuid()
  const { runId, turn } = await claimedRun({
    first: callStep(id, { path: '/first' }, { next: 'second', onFailure: null }),
    second: callStep(id, { path: '/second', method: 'POST' }, { next: null, onFailure: null }),
  })
  const outcome = outcomeOf(await turn(null))
  expect(await turn(outcome)).toMatchObject({ kind: 'call', stepId: 'second', number: 2 })
  const again = await turn(outcome)
  expect(again).toMatchObject({ kind: 'call', stepId: 'second', number: 2, attemptsBefore: 0 })
  expect(await turn(outcomeOf(again))).toEqual({ kind: 'idle', queued: [] })
  expect(await runOf(runId)).toMatchObject({ status: 'completed', steps: 2 })
})

test('The answer to a send is not taken for that of the next message', async () => {
  const { runId, turn, toldTurn, nextTurn } = await claimedRun({
    first: templateStep('first', 'second'),
    second: templateStep('second'),
  })
  const now = world.clock.now()
  const first = queuedBy(await turn(null))
  expect(await beginSend(db, { ...first, now })).toMatchObject({ id: first.id, runId })
  const settled = {
    id: first.id,
    runId,
    result: { outcome: 'accepted', providerMessageId: 'wamid.first' } as const,
    againAt: null,
    runClaimId: ids.uuid(),
    now,
  }
  const second = queuedBy(await toldTurn(await settleSend(db, settled)))
  // The confirmation was lost: the same outcome is written again, and the run checks it.
  expect(await toldTurn(await settleSend(db, settled))).toEqual({ kind: 'idle', queued: [] })
  const atWork = { status: 'running', waitKind: null, stepId: 'second' }
  expect(await runOf(runId)).toMatchObject(atWork)
  expect(await beginSend(db, { ...second, now })).toMatchObject({ runId })
  // Only the provider can report whether the second was sent: it is not sent again blindly.
  expect(await beginSend(db, { ...second, now })).toBeNull()
  await endLeases(world, SEND_QUEUE, new Date(now.getTime() + DAY_MS))
  expect(await nextTurn()).toEqual({ kind: 'idle', queued: [] })
  const waiting = { status: 'waiting', waitKind: 'sent', stepId: 'second' }
  expect(await runOf(runId)).toMatchObject(waiting)
})
