import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { createSweepDuty } from '../../src/daemon/sweep.ts'
import type { DB } from '../../src/database/tables.ts'
import { SWEEP } from '../../src/limits/retention.ts'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import { claimDeliveries, FIRST_ENDPOINT } from '../../src/deliveries/claim-deliveries.sql.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { newPhone, simulateWhatsApp } from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ hasOwnDatabase: true })
})
afterEach(() => world.close())

const rows = async (table: keyof DB) => {
  const { count } = await world.database.db.kysely
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
const LOG = ['webhookDelivery', 'deliveryAttempt', 'event', 'eventBody'] as const
const TEMPLATES = ['templateSend', 'templateDay'] as const
const countEach = async (tables: readonly (keyof DB)[]) =>
  Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rows(table)])))
const noneOf = (tables: readonly (keyof DB)[]) =>
  Object.fromEntries(tables.map((table) => [table, 0]))

/** Sweeps until nothing is left for this hour. */
async function sweep(duty = createSweepDuty(world.service.context)) {
  let turns = 0
  const isDone = async () => {
    turns += 1
    return !(await duty.work())
  }
  await waitUntil('nothing is left to sweep', isDone, { everyMs: 0 })
  return turns
}

describe('Retention', () => {
  test('the log goes after 30 days, steps after 30, records of templates after 30, a run after 90, and its key is unused again', async () => {
    const whatsApp = await simulateWhatsApp(world)
    try {
      const shop = await whatsApp.openShop()
      const body = { ...ORDER, customer: { ...ORDER.customer, phone: newPhone() } }
      const key = { 'idempotency-key': 'order-1043-ready' }
      const first = await askHook(shop.hookUrl, body, key)
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
      const before = await countEach([...aged, 'flowRunReply'])
      for (const count of Object.values(before)) expect(count).toBeGreaterThan(0)

      await toDay(29)
      expect(await countEach([...aged, 'flowRunReply'])).toEqual(before)

      await toDay(31)
      expect(await countEach(aged)).toEqual(noneOf(aged))
      expect(await rows('flowRunReply')).toBe(1)
      const run = await world.database.db.kysely
        .selectFrom('flowRun')
        .selectAll()
        .executeTakeFirstOrThrow()
      expect(JSON.parse(run.variables)).toEqual({ order: '1043', answer: 'Yes, today' })

      await toDay(89)
      expect(await askHook(shop.hookUrl, body, key)).toMatchObject({
        http: 200,
        status: 'duplicate',
        id: first.id,
      })
      const messages = await rows('message')

      await toDay(91)
      expect(await countEach(['flowRun', 'flowRunReply'])).toEqual({ flowRun: 0, flowRunReply: 0 })
      const again = await askHook(shop.hookUrl, body, key)
      expect(again).toMatchObject({ http: 202, status: 'accepted' })
      expect(again.id).not.toBe(first.id)
      const kept = await world.database.db.kysely
        .selectFrom('message')
        .select('runId')
        .distinct()
        .execute()
      expect(kept).toEqual([{ runId: null }])
      expect(await rows('message')).toBe(messages)
    } finally {
      await whatsApp.close()
    }
  })

  test('events waiting to be delivered go after 7 days: pending or held, they are expired', async () => {
    const shop = await createShop(world)
    const held = await createShop(world, { phoneNumberId: '1065403529', plan: 'business' })
    await world.database.db.kysely
      .updateTable('endpoint')
      .set({ isOn: false, offAt: world.clock.now(), offReason: 'by_member' })
      .where('id', '=', held.endpointId)
      .execute()
    await askHook(shop.hookUrl)
    await askHook(held.hookUrl)
    const states = async (of: Shop) => {
      const found = await world.database.db.kysely
        .selectFrom('webhookDelivery')
        .select(['state', 'dueAt', 'endedAt'])
        .distinct()
        .where('companyId', '=', of.companyId)
        .execute()
      return found
    }
    const before = [await states(shop), await states(held)]
    expect(before).toMatchObject([[{ state: 'pending' }], [{ state: 'held' }]])
    const raised = await rows('event')

    world.clock.advance(6 * DAY_MS)
    await sweep()
    expect([await states(shop), await states(held)]).toEqual(before)

    const { deliveries: claimed } = await claimDeliveries(world.database.db.kysely, {
      claimId: world.service.context.ids.uuid(),
      now: world.clock.now(),
      lanes: [{ lane: 'first', free: 1, after: FIRST_ENDPOINT }],
    })
    const [attempted] = claimed
    world.clock.advance(2 * DAY_MS)
    await sweep()
    const expired = { state: 'expired', dueAt: null, endedAt: world.clock.now() }
    expect(await states(held)).toEqual([expired])
    expect(await states(shop)).toContainEqual(expired)
    const { state } = await world.database.db.kysely
      .selectFrom('webhookDelivery')
      .select('state')
      .where('id', '=', attempted!.id)
      .executeTakeFirstOrThrow()
    expect(state).toBe('pending')
    expect(await rows('event')).toBe(raised)
  })

  test('an event that was resent keeps its body for 30 days from then on', async () => {
    await askHook((await createShop(world)).hookUrl)
    await world.service.processAll()
    const { kysely } = world.database.db
    const { id, ...sent } = await kysely
      .selectFrom('webhookDelivery')
      .selectAll()
      .where('state', '=', 'delivered')
      .limit(1)
      .executeTakeFirstOrThrow()
    world.clock.advance(20 * DAY_MS)
    await sweep()
    const now = world.clock.now()
    const resendId = world.service.context.ids.uuid()
    // A resend has its own copy of the body.
    await sql`
      insert into event_body (id, api_version, body)
      select ${resendId}, api_version, body from event_body
      where id = ${sent.bodyId} and api_version = ${sent.apiVersion}
    `.execute(kysely)
    await kysely
      .insertInto('webhookDelivery')
      .values({
        ...sent,
        id: resendId,
        bodyId: resendId,
        kind: 'resend',
        resendOf: id,
        createdAt: now,
        endedAt: now,
      })
      .execute()
    world.clock.advance(11 * DAY_MS)
    await sweep()
    expect(await countEach(LOG)).toMatchObject({ webhookDelivery: 1, event: 1, eventBody: 1 })
    world.clock.advance(20 * DAY_MS)
    await sweep()
    expect(await countEach(LOG)).toEqual(noneOf(LOG))
  })

  test('a run that is still at work keeps all of its steps', async () => {
    const whatsApp = await simulateWhatsApp(world)
    try {
      const steps = {
        ...ORDER_READY_STEPS,
        ask: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 29 * 24 * 60, onTimeout: 'again' },
        again: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 29 * 24 * 60 },
      }
      const shop = await whatsApp.openShop({ steps })
      await shop.order(newPhone())
      await whatsApp.settle()
      world.clock.advance(29 * DAY_MS)
      await whatsApp.settle()
      world.clock.advance(15 * DAY_MS)
      await whatsApp.settle()
      const waiting = world.database.db.kysely.selectFrom('flowRun').select('status')
      expect(await waiting.executeTakeFirstOrThrow()).toEqual({ status: 'waiting' })
      const taken = world.database.db.kysely.selectFrom('flowRunStep').select('stepId')
      expect((await taken.orderBy('number').execute()).slice(0, 2)).toEqual([
        { stepId: 'tell' },
        { stepId: 'ask' },
      ])

      world.clock.advance(14 * DAY_MS)
      await whatsApp.settle()
      world.clock.advance(31 * DAY_MS)
      await sweep()
      expect(await countEach(['flowRunStep', 'flowRun'])).toEqual({ flowRunStep: 0, flowRun: 1 })
    } finally {
      await whatsApp.close()
    }
  })

  test('what models used goes after 30 days, that somebody was told of it two days after', async () => {
    const { kysely } = world.database.db
    const { accountId } = await createShop(world)
    const day = world.clock.now().toISOString().slice(0, 10)
    const today = { accountId, day: sql<Date>`${day}::date` }
    await kysely
      .insertInto('modelDay')
      .values({ ...today, purpose: 'customer', requests: 1, tokensIn: 100, tokensOut: 20 })
      .execute()
    await kysely
      .insertInto('modelWarning')
      .values({ ...today, percent: 80 })
      .execute()
    const left = () => countEach(['modelDay', 'modelWarning'])
    world.clock.advance(2 * DAY_MS)
    await sweep()
    expect(await left()).toEqual({ modelDay: 1, modelWarning: 1 })
    world.clock.advance(DAY_MS)
    await sweep()
    expect(await left()).toEqual({ modelDay: 1, modelWarning: 0 })
    world.clock.advance(27 * DAY_MS)
    await sweep()
    expect(await left()).toEqual({ modelDay: 1, modelWarning: 0 })
    world.clock.advance(DAY_MS)
    await sweep()
    expect(await left()).toEqual({ modelDay: 0, modelWarning: 0 })
  })

  test('sessions, invitations and wrong passwords go when they are over', async () => {
    const { kysely } = world.database.db
    const { ids, clock } = world.service.context
    const { accountId } = await createShop(world)
    const now = clock.now()
    const personId = ids.uuid()
    await kysely
      .insertInto('person')
      .values({ id: personId, email: 'a@example.com', createdAt: now })
      .execute()
    const after = (ms: number) => new Date(now.getTime() + ms)
    const session = { personId, accountId, carrier: 'bearer', createdAt: now, lastSeenAt: now }
    await kysely
      .insertInto('session')
      .values(
        [
          { expiresAt: after(HOUR_MS), lastSeenAt: now },
          { expiresAt: after(7 * DAY_MS), lastSeenAt: now },
          { expiresAt: after(7 * DAY_MS), lastSeenAt: after(2 * HOUR_MS) },
        ].map((times) => ({
          ...session,
          ...times,
          id: ids.uuid(),
          tokenHash: Buffer.from(ids.token(32)),
          passwordEnteredAt: now,
        })),
      )
      .execute()
    await kysely
      .insertInto('invitation')
      .values(
        [HOUR_MS, 7 * DAY_MS].map((ms) => ({
          id: ids.uuid(),
          accountId,
          email: `${ms}@example.com`,
          role: 'agent',
          tokenHash: Buffer.from(ids.token(32)),
          createdAt: now,
          expiresAt: after(ms),
        })),
      )
      .execute()
    await kysely
      .insertInto('signInFailure')
      .values({ id: ids.uuid(), throttleKey: Buffer.from('key'), failedAt: now })
      .execute()
    const left = () => countEach(['session', 'invitation', 'signInFailure'])

    world.clock.advance(14 * 60_000)
    await sweep()
    expect(await left()).toEqual({ session: 3, invitation: 2, signInFailure: 1 })
    world.clock.advance(2 * HOUR_MS)
    await sweep()
    expect(await left()).toEqual({ session: 2, invitation: 1, signInFailure: 0 })
    world.clock.advance(10 * HOUR_MS)
    await sweep()
    expect(await left()).toEqual({ session: 1, invitation: 1, signInFailure: 0 })
  })
})

describe('the sweep', () => {
  /** Ended runs, each with a step, and as many delivered events, as old as the clock says. */
  async function fill(most: number): Promise<void> {
    const shop = await createShop(world)
    await askHook(shop.hookUrl)
    await world.database.db.kysely
      .updateTable('flowRun')
      .set({ status: 'skipped', endedAt: world.clock.now(), wakeAt: null })
      .execute()
    const run = await world.database.db.kysely
      .selectFrom('flowRun')
      .select(['conversationId'])
      .executeTakeFirstOrThrow()
    const now = world.clock.now()
    await sql`
      with run as (
        insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id,
          conversation_id, trigger_kind, status, created_at, ended_at)
        select new_uuid_v7(${now}), ${shop.companyId}, ${shop.flowId}, ${shop.versionId},
          ${shop.channelId}, ${run.conversationId}, 'webhook', 'skipped', ${now}::timestamptz, ${now}
        from generate_series(1, ${most}::int) returning id
      ), step as (
        insert into flow_run_step (run_id, number, company_id, step_id, kind, status, started_at)
        select id, 1, ${shop.companyId}, 'end', 'end', 'done', ${now}::timestamptz from run
      ), raised as (
        insert into event (id, company_id, type, occurred_at)
        select new_uuid_v7(${now}), ${shop.companyId}, 'ping', ${now}::timestamptz
        from generate_series(1, ${most}::int) returning id
      ), body as (
        insert into event_body (id, api_version, body) select id, '2026-10', '' from raised
      )
      insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version, kind, state,
        created_at, ended_at)
      select new_uuid_v7(${now}), ${shop.companyId}, ${shop.endpointId}, id, id, '2026-10', 'event',
        'delivered', ${now}::timestamptz, ${now} from raised
    `.execute(world.database.db.kysely)
  }

  const sweptRows = (name: string) =>
    world.logged
      .map((line) => JSON.parse(line) as { sweep?: string; rows?: number })
      .flatMap((line) => (line.sweep === name ? [line.rows] : []))
  const ofBulk = ['flowRun', 'flowRunStep', ...LOG] as const

  test('takes 5,000 rows in several statements of at most 1,000', async () => {
    await fill(4_999)
    world.clock.advance(91 * DAY_MS)
    expect(await sweep()).toBe(6)
    expect(await countEach(ofBulk)).toEqual(noneOf(ofBulk))
    expect(sweptRows('flow_run')).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
    expect(sweptRows('webhook_delivery')).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1])
  })

  test('leaves what one turn cannot take to the next, and then rests for an hour', async () => {
    await fill(SWEEP.rowsPerStatement * SWEEP.passesPerTurn + 500)
    world.clock.advance(91 * DAY_MS)
    const duty = createSweepDuty(world.service.context)
    expect(await sweep(duty)).toBe(SWEEP.passesPerTurn)
    expect(await rows('flowRun')).toBe(501)
    expect(await sweep(duty)).toBe(1)
    expect(await rows('flowRun')).toBe(501)
    world.clock.advance(SWEEP.againMs)
    await sweep(duty)
    expect(await rows('flowRun')).toBe(0)
    expect(await duty.nextDue()).toEqual(new Date(world.clock.now().getTime() + HOUR_MS))
  })

  test('two nodes that sweep at once share the rows and wait for nobody', async () => {
    await fill(2_999)
    world.clock.advance(91 * DAY_MS)
    const nodes = [1, 2].map(() => createSweepDuty(world.service.context))
    await Promise.all(nodes.map(sweep))
    world.clock.advance(HOUR_MS)
    await Promise.all(nodes.map(sweep))
    expect(await countEach(ofBulk)).toEqual(noneOf(ofBulk))
    const total = sweptRows('flow_run').reduce<number>((sum, count) => sum + count!, 0)
    expect(total).toBe(3_000)
    expect(world.logged.filter((line) => line.includes('could not be swept'))).toEqual([])
  })
})
