import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createSweepWorker } from '../../src/workers/sweep.ts'
import type { DB } from '../../src/infra/database/tables.ts'
import { SWEEP } from '../../src/core/limits/retention.ts'
import { eventIdText } from '../../src/modules/events/event-id.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { claim } from '../support/deliveries.ts'
import { makeOneOfEach } from '../support/company-fixture.ts'
import { countEach, isThere } from '../support/records/any-table.ts'
import { addReminder } from '../support/records/appointments.ts'
import { addAudit } from '../support/records/audit.ts'
import { addEndedRuns } from '../support/records/bulk.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { switchOff } from '../support/records/endpoints.ts'
import { messagesOf } from '../support/records/messages.ts'
import { addModelUse } from '../support/records/models.ts'
import { endEveryRun, runOf, runsOf, runStepsOf } from '../support/records/runs.ts'
import { addNotice } from '../support/records/notices.ts'
import { addVisitor } from '../support/records/visitors.ts'
import { putSessions } from '../support/records/ways-in.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { sessionOf } from '../support/set-up.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { newPhone, simulateWhatsApp } from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ hasOwnDatabase: true })
})
afterEach(() => world.close())

const rows = async (table: keyof DB) => (await countEach(world, [table]))[table]
const LOG = ['webhookDelivery', 'deliveryAttempt', 'event', 'eventBody'] as const
const TEMPLATES = ['templateSend', 'templateDay'] as const
const noneOf = (tables: readonly (keyof DB)[]) =>
  Object.fromEntries(tables.map((table) => [table, 0]))

async function openSimulator() {
  const whatsApp = await simulateWhatsApp(world)
  onTestFinished(() => whatsApp.close())
  return whatsApp
}

/** Sweeps until nothing is left for this hour. */
async function sweep(worker = createSweepWorker(world.service.context)) {
  let turns = 0
  const isDone = async () => {
    turns += 1
    return !(await worker.work())
  }
  await waitUntil('nothing is left to sweep', isDone, { everyMs: 0 })
  return turns
}

describe('Retention', () => {
  test('the log, steps and records of templates are deleted after 30 days, a run and its key after 90', async () => {
    const whatsApp = await openSimulator()
    const shop = await whatsApp.openShop()
    const body = { ...ORDER, customer: { ...ORDER.customer, phone: newPhone() } }
    const key = { 'idempotency-key': 'order-1043-ready' }
    const first = await postHook(shop.hookUrl, body, key)
    await whatsApp.settle()
    whatsApp.simulator.tapButton({ from: body.customer.phone, buttonIndex: 0 })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toHaveLength(1)
    const endedAt = world.clock.now().getTime()
    const toDay = async (day: number) => {
      world.clock.moveTo(new Date(endedAt + day * DAY_MS).toISOString())
      await world.service.processAll()
      await sweep()
    }
    const aged = [...LOG, ...TEMPLATES, 'flowRunStep', 'hookShape'] as const
    const before = await countEach(world, [...aged, 'flowRunReply'])
    for (const count of Object.values(before)) expect(count).toBeGreaterThan(0)

    await toDay(29)
    expect(await countEach(world, [...aged, 'flowRunReply'])).toEqual(before)

    await toDay(31)
    const droppedByWeek = { event: before.event, webhookDelivery: before.webhookDelivery }
    expect(await countEach(world, aged)).toEqual({ ...noneOf(aged), ...droppedByWeek })
    const owner = await signedIn(world, { accountId: shop.accountId })
    const log = await owner.ask('GET', `/companies/${shop.companyId}/deliveries`)
    expect(log.body).toMatchObject({ items: [], nextCursor: null })
    await toDay(37)
    expect(await countEach(world, aged)).toEqual(noneOf(aged))
    expect(await rows('flowRunReply')).toBe(1)
    const { variables } = await runOf(world, first.id!)
    expect(JSON.parse(variables)).toEqual({ order: '1043', answer: 'Yes, today' })

    await toDay(89)
    const duplicate = { http: 200, status: 'duplicate', id: first.id }
    expect(await postHook(shop.hookUrl, body, key)).toMatchObject(duplicate)
    const messages = await rows('message')

    await toDay(91)
    expect(await countEach(world, ['flowRun', 'flowRunReply'])).toEqual({
      flowRun: 0,
      flowRunReply: 0,
    })
    const again = await postHook(shop.hookUrl, body, key)
    expect(again).toMatchObject({ http: 202, status: 'accepted' })
    expect(again.id).not.toBe(first.id)
    const kept = await messagesOf(world, shop)
    expect(kept).toHaveLength(messages)
    expect(kept.filter(({ runId }) => runId !== null)).toEqual([])
  })

  test('events waiting to be delivered expire after 7 days, pending or held', async () => {
    const shop = await createShop(world)
    const held = await createShop(world, { phoneNumberId: '1065403529', plan: 'business' })
    await switchOff(world, held)
    await postHook(shop.hookUrl)
    await postHook(held.hookUrl)
    const states = async (of: Shop) =>
      (await deliveriesOf(world, of)).map(({ state, dueAt, endedAt }) => ({
        state,
        dueAt,
        endedAt,
      }))
    const before = [await states(shop), await states(held)]
    expect(before.map((of) => new Set(of.map(({ state }) => state)))).toEqual([
      new Set(['pending']),
      new Set(['held']),
    ])
    const raised = await rows('event')

    world.clock.advance(6 * DAY_MS)
    await sweep()
    expect([await states(shop), await states(held)]).toEqual(before)

    const [attempted] = await claim(world, { first: 1 })
    world.clock.advance(2 * DAY_MS)
    await sweep()
    const expired = { state: 'expired', dueAt: null, endedAt: world.clock.now() }
    for (const delivery of await states(held)) expect(delivery).toEqual(expired)
    expect(await states(shop)).toContainEqual(expired)
    const [claimed, ...others] = await deliveriesOf(world, shop, { state: 'pending' })
    expect([claimed!.id, others]).toEqual([attempted!.id, []])
    expect(await rows('event')).toBe(raised)
  })

  test('an event that was resent keeps its body for 30 days from then on', async () => {
    const shop = await createShop(world)
    await postHook(shop.hookUrl)
    await world.service.processAll()
    const [sent] = await deliveriesOf(world, shop, { state: 'delivered' })
    world.clock.advance(20 * DAY_MS)
    await sweep()
    const owner = await signedIn(world, shop)
    await owner.ask('POST', `/companies/${shop.companyId}/deliveries/${sent!.id}/resend`)
    await world.service.processAll()
    world.clock.advance(18 * DAY_MS)
    await sweep()
    expect(await countEach(world, LOG)).toMatchObject({ webhookDelivery: 1, eventBody: 1 })
    const later = await signedIn(world, shop)
    const { body } = await later.ask('GET', `/companies/${shop.companyId}/deliveries`)
    expect(body).toMatchObject({ items: [{ kind: 'resend', eventId: eventIdText(sent!.eventId) }] })
    world.clock.advance(20 * DAY_MS)
    await sweep()
    expect(await countEach(world, LOG)).toEqual(noneOf(LOG))
  })

  test('a run that has not ended keeps all of its steps', async () => {
    const whatsApp = await openSimulator()
    const steps = {
      ...ORDER_READY_STEPS,
      ask: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 29 * 24 * 60, onTimeout: 'again' },
      again: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 29 * 24 * 60 },
    }
    const shop = await whatsApp.openShop({ steps })
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    world.clock.advance(29 * DAY_MS)
    await whatsApp.settle()
    world.clock.advance(15 * DAY_MS)
    await whatsApp.settle()
    expect((await runOf(world, runId)).status).toBe('waiting')
    const taken = (await runStepsOf(world, runId)).map(({ stepId }) => stepId)
    expect(taken.slice(0, 2)).toEqual(['tell', 'ask'])

    world.clock.advance(14 * DAY_MS)
    await whatsApp.settle()
    world.clock.advance(31 * DAY_MS)
    await sweep()
    expect(await countEach(world, ['flowRunStep', 'flowRun'])).toEqual({
      flowRunStep: 0,
      flowRun: 1,
    })
  })

  test('token usage is deleted after 30 days, the record of a warning two days after it', async () => {
    await addModelUse(world, await createShop(world))
    const left = () => countEach(world, ['modelDay', 'modelWarning'])
    for (const [days, modelDay, modelWarning] of [
      [2, 1, 1],
      [1, 1, 0],
      [27, 1, 0],
      [1, 0, 0],
    ] as const) {
      world.clock.advance(days * DAY_MS)
      await sweep()
      expect(await left()).toEqual({ modelDay, modelWarning })
    }
  })

  test('sessions, invitations and wrong passwords are deleted when they have ended', async () => {
    const { accountId } = await createShop(world)
    const invite = async (email: string) => {
      const owner = await signedIn(world, { accountId })
      await owner.ask('POST', '/invitations', { email, role: 'agent' })
      return owner
    }
    await invite('soon-over@example.com')
    world.clock.advance(7 * DAY_MS - HOUR_MS)
    await invite('good-for-days@example.com')
    const after = (ms: number) => new Date(world.clock.now().getTime() + ms)
    for (const times of [{ expiresAt: after(HOUR_MS) }, { lastSeenAt: after(2 * HOUR_MS) }]) {
      const { token } = await signedIn(world, { accountId })
      await putSessions(world, times, { sessionId: (await sessionOf(world, token)).id })
    }
    const wrong = { email: 'nobody@example.com', password: 'a wrong password', client: 'program' }
    await apiRequest(world.url, 'POST', '/session', { json: wrong })
    const left = () => countEach(world, ['session', 'invitation', 'signInFailure'])

    world.clock.advance(14 * 60_000)
    await sweep()
    expect(await left()).toEqual({ session: 3, invitation: 2, signInFailure: 2 })
    world.clock.advance(2 * HOUR_MS)
    await sweep()
    expect(await left()).toEqual({ session: 2, invitation: 1, signInFailure: 0 })
    world.clock.advance(10 * HOUR_MS)
    await sweep()
    expect(await left()).toEqual({ session: 1, invitation: 1, signInFailure: 0 })
  })
})

describe('the sweep', () => {
  /** Adds ended runs, each with a step, and as many delivered events, at the time of the clock. */
  async function fill(max: number): Promise<void> {
    const shop = await createShop(world)
    await postHook(shop.hookUrl)
    await endEveryRun(world)
    const [run] = await runsOf(world, shop)
    await addEndedRuns(world, shop, { conversationId: run!.conversationId, count: max })
  }

  const sweptRows = (name: string) =>
    world.logged
      .map((line) => JSON.parse(line) as { sweep?: string; rows?: number })
      .flatMap((line) => (line.sweep === name ? [line.rows] : []))
  const ofBulk = ['flowRun', 'flowRunStep', ...LOG] as const

  test('deletes 5,000 rows in several statements of at most 1,000', async () => {
    await fill(4_999)
    world.clock.advance(91 * DAY_MS)
    expect(await sweep()).toBe(6)
    expect(await countEach(world, ofBulk)).toEqual(noneOf(ofBulk))
    expect(sweptRows('flow_run')).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
  })

  test('leaves what one pass cannot take to the next, and then rests for an hour', async () => {
    await fill(SWEEP.rowsPerStatement * SWEEP.passesPerRun + 500)
    world.clock.advance(91 * DAY_MS)
    const worker = createSweepWorker(world.service.context)
    expect(await sweep(worker)).toBe(SWEEP.passesPerRun)
    expect(await rows('flowRun')).toBe(501)
    expect(await sweep(worker)).toBe(1)
    expect(await rows('flowRun')).toBe(501)
    world.clock.advance(SWEEP.againMs)
    await sweep(worker)
    expect(await rows('flowRun')).toBe(0)
    expect(await worker.nextDue()).toEqual(new Date(world.clock.now().getTime() + HOUR_MS))
  })

  test('is shared by two concurrent nodes, which wait for no lock', async () => {
    await fill(2_999)
    world.clock.advance(91 * DAY_MS)
    const nodes = [1, 2].map(() => createSweepWorker(world.service.context))
    await Promise.all(nodes.map(sweep))
    world.clock.advance(HOUR_MS)
    await Promise.all(nodes.map(sweep))
    expect(await countEach(world, ofBulk)).toEqual(noneOf(ofBulk))
    const total = sweptRows('flow_run').reduce<number>((sum, count) => sum + count!, 0)
    expect(total).toBe(3_000)
    expect(world.logged.filter((line) => line.includes('sweep failed'))).toEqual([])
  })
})

/** The days of the reference, and the row of the test: its table and the column that finds it again. */
const KEPT = [
  [30, 'contact_import', 'id'],
  [30, 'close_job', 'id'],
  [90, 'assistant_reply', 'id'],
  [90, 'notice', 'id'],
  [90, 'reminder', 'appointment_id'],
  [400, 'audit', 'id'],
  [400, 'visitor', 'id'],
] as const

/** Adds one row of each kind that ages from now on, by its table. */
async function makeRows(): Promise<Record<string, string>> {
  const shop = await createShop(world)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const made = await makeOneOfEach(world, shop, owner)
  await world.service.processAll()
  const { appointmentId, flowId } = made as Record<'appointmentId' | 'flowId', string>
  await addReminder(world, { ...shop, flowId, appointmentId })
  const site = { ...shop, channelId: made.siteChannelId! }
  const done = { action: 'test', subjectKind: 'test', subjectId: 'test' }
  return {
    contact_import: made.importId!,
    close_job: made.closeJobId!,
    assistant_reply: made.replyId!,
    notice: await addNotice(world, shop, { kind: 'endpoint_off' }),
    reminder: appointmentId,
    audit: await addAudit(world, shop, done),
    visitor: await addVisitor(world, site),
  }
}

/** An hour before its end the row exists, an hour after it is gone. */
test('Retention › Retention periods, in days', async () => {
  const made = await makeRows()
  const begunAt = world.clock.now().getTime()
  const left = async () => {
    const found: string[] = []
    for (const [, table, column] of KEPT) {
      if (await isThere(world, { table, column, id: made[table]! })) found.push(table)
    }
    return found
  }
  const sweepAt = async (ms: number) => {
    world.clock.moveTo(new Date(begunAt + ms).toISOString())
    await sweep()
  }
  for (const days of new Set(KEPT.map(([kept]) => kept))) {
    await sweepAt(days * DAY_MS - HOUR_MS)
    const before = KEPT.flatMap(([kept, table]) => (kept >= days ? [table] : []))
    expect.soft(await left()).toEqual(before)
    await sweepAt(days * DAY_MS + HOUR_MS)
    const then = KEPT.flatMap(([kept, table]) => (kept > days ? [table] : []))
    expect.soft(await left()).toEqual(then)
  }
})
