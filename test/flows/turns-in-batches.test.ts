/** Turns of many runs in one transaction: what each of them is promised holds as if it were alone. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createVersionReader } from '../../src/flows/design/load-version.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { cancelRuns } from '../../src/flows/runs/cancel-runs.sql.ts'
import { claimRuns } from '../../src/flows/runs/claim-runs.sql.ts'
import { transaction } from '../../src/database/transaction.ts'
import { lockRuns, readHands } from '../../src/flows/runs/read-hands.sql.ts'
import type { Called } from '../../src/flows/runs/make-step-call.ts'
import { setRunAside } from '../../src/flows/runs/set-run-aside.ts'
import { takeTurns, type Turn } from '../../src/flows/runs/take-turns.ts'
import { createTurnDesk } from '../../src/daemon/turn-desk.ts'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { createWorld, type World } from '../support/service.ts'
import { callStep, connectApi } from '../support/shop-api.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
// Every hook URL has its requests of a minute.
beforeEach(() => world.clock.advance(61_000))

const kysely = () => world.database.db.kysely
const sentTo = (phone: string) =>
  whatsApp.simulator.messages().filter(({ to }) => `+${to}` === phone)
const runOf = (id: string) =>
  kysely().selectFrom('flowRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const kinds = (turns: readonly Turn[]) => turns.map(({ kind }) => kind)

function deps() {
  const { db, clock, ids, log } = world.service.context
  return {
    db,
    clock,
    ids,
    log,
    readVersion: createVersionReader(),
    claimFor: () => null,
    publicUrl: () => 'http://localhost',
  }
}

/** Takes all due runs in hand, as the duty does. */
async function claimAll() {
  const { db, clock, ids } = world.service.context
  const { runs } = await claimRuns(db.kysely, { claimId: ids.uuid(), now: clock.now(), limit: 200 })
  return runs.map((run) => ({ run, called: null }))
}

/** What a test holds of a conversation until it says so. */
async function hold(conversationId: string) {
  const client = await world.database.db.pool.connect()
  await client.query('begin')
  await client.query('select from conversation where id = $1 for update', [conversationId])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

describe('A conversation that somebody else holds', () => {
  test('is left for a later batch, which waits for nobody; the others go on', async () => {
    const phones = [newPhone(), newPhone(), newPhone()]
    for (const phone of phones) await shop.order(phone)
    const asked = await claimAll()
    const letGo = await hold(asked[1]!.run.conversationId)
    expect(kinds(await takeTurns(deps(), asked))).toEqual(['rest', 'late', 'rest'])
    expect(await runOf(asked[1]!.run.id)).toMatchObject({ status: 'queued', steps: 0 })
    await letGo()
    expect(kinds(await takeTurns(deps(), asked))).toEqual(['rest', 'rest', 'rest'])
    await whatsApp.settle()
    for (const phone of phones) expect(sentTo(phone)).toHaveLength(1)
  })

  test('is looked at again by the desk until it is free', async () => {
    const runId = await shop.order(newPhone())
    const [asked] = await claimAll()
    const letGo = await hold(asked!.run.conversationId)
    const timers = holdTimers(RUN_LIMITS.lateMs, RUN_LIMITS.lateMs)
    onTestFinished(() => timers.release())
    const turn = createTurnDesk(deps())(asked!)
    const foundHeld = () =>
      waitUntil('the batcher to find the conversation locked', () => timers.count() === 1)
    for (let times = 0; times < 3; times += 1) await foundHeld().then(timers.elapse)
    await foundHeld()
    await letGo()
    timers.elapse()
    expect(await turn).toMatchObject({ kind: 'rest' })
    expect(await runOf(runId)).toMatchObject({ status: 'running', steps: 1 })
    await whatsApp.settle()
  })
})

test('What commits between the locks of a batch and what it reads is seen by it', async () => {
  const runId = await shop.order(newPhone())
  const [asked] = await claimAll()
  const { contactId } = await runOf(runId)
  await transaction(world.service.context.db, async (tx) => {
    const locked = await lockRuns(tx, [asked!.run])
    expect([...locked]).toEqual([runId])
    await kysely()
      .updateTable('contact')
      .set({ optedOutAt: world.clock.now() })
      .where('id', '=', contactId)
      .execute()
    const [hand] = await readHands(tx, [...locked])
    expect(hand!.contact!.optedOutAt).toEqual(world.clock.now())
  })
  await takeTurns(deps(), [asked!])
  expect(await runOf(runId)).toMatchObject({ status: 'skipped' })
})

systemTest('A reply that comes when a run is claimed for its time-out is its answer', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  world.clock.advance(24 * 3_600_000)
  const asked = await claimAll()
  // The reply comes when the run has been claimed for its time-out, before its batch reads.
  const text = 'In time after all'
  expect(await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), text })]))).toBe(
    200,
  )
  await takeTurns(deps(), asked)
  const { variables, status } = await runOf(runId)
  expect(status).toBe('completed')
  expect(JSON.parse(variables)).toMatchObject({ answer: text })
  await whatsApp.settle()
})

test('What a customer writes within a second is read in the order in which it came, however it is found', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  const texts = ['one', 'two', 'three', 'four', 'five', 'six']
  const at = world.clock.now()
  const all = texts.map((text) => written({ from: phone.slice(1), text, at }))
  expect(await postWebhook(world, webhookOf(shop, all))).toBe(200)
  await transaction(world.service.context.db, async (tx) => {
    // By the ids of the messages, which are made of the provider's.
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    const [hand] = await readHands(tx, [runId])
    expect(hand!.replies.map(({ text }) => text)).toEqual(texts)
  })
  await whatsApp.settle()
})

test('Of one conversation one run is in a batch', async () => {
  const phone = newPhone()
  const [first, second] = [await shop.order(phone), await shop.order(phone)]
  const asked = await claimAll()
  expect(asked.map(({ run }) => run.conversationId)).toEqual(
    Array(2).fill(asked[0]!.run.conversationId),
  )
  const batches: string[][] = []
  const spied = deps()
  const desk = createTurnDesk({
    ...spied,
    readVersion: async (db, versionId) => {
      const { rows } = await sql<{ id: string }>`
        select id from flow_run where id in (${first}, ${second}) and steps > 0`.execute(db)
      batches.push(rows.map(({ id }) => id))
      return spied.readVersion(db, versionId)
    },
  })
  await Promise.all(asked.map(desk))
  // The second was read when the first had been written.
  expect(batches.map((done) => done.length)).toEqual([0, 1])
  await whatsApp.settle()
  expect(sentTo(phone)).toHaveLength(2)
})

test('What a run has queued that a member cancels is not said: it ends at once', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await takeTurns(deps(), await claimAll())
  expect(await runOf(runId)).toMatchObject({ status: 'running', steps: 1 })
  const why = fact('run_cancelled_by_member')
  await transaction(world.service.context.db, (tx) =>
    cancelRuns(tx, world.clock.now(), { runIds: [runId] }, why),
  )
  await takeTurns(deps(), await claimAll())
  expect(await runOf(runId)).toMatchObject({ status: 'cancelled', endDetail: storeFact(why) })
  await whatsApp.settle()
  expect(sentTo(phone)).toEqual([])
})

systemDescribe('A run whose turn cannot be taken', () => {
  const RUNS = 128
  let asking: ConnectedShop
  beforeAll(async () => {
    asking = await whatsApp.openShop({
      start: 'note',
      steps: {
        note: { kind: 'set_variable', name: 'noted', text: 'yes', next: 'ask' },
        ask: {
          kind: 'wait_for_reply',
          saveAs: 'answer',
          timeoutMinutes: 4_320,
          onTimeout: null,
          next: null,
        },
      },
    })
  })

  /** As many runs as a batch holds, made from one, each of a customer of its own. */
  async function manyRuns() {
    const runId = await asking.order(newPhone())
    await world.database.db.pool.query(
      `with made as (
         select gen_random_uuid() as id, 'c_copy' || gen_random_uuid() as conversation, number
         from generate_series(2, $2::int) as number
       ), conversations as (
         insert into conversation (id, company_id, channel_id, channel_type, filed_under, created_at)
         select made.conversation, conversation.company_id, channel_id, channel_type,
           (966590000000 + number)::text, conversation.created_at
         from made, conversation where conversation.id = (select conversation_id from flow_run where id = $1)
       )
       insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
         trigger_kind, status, variables, wake_at, created_at)
       select made.id, company_id, flow_id, flow_version_id, channel_id, made.conversation,
         trigger_kind, status, variables, wake_at, created_at
       from made, flow_run where flow_run.id = $1`,
      [runId, RUNS],
    )
    const asked = await claimAll()
    expect(asked).toHaveLength(RUNS)
    return asked
  }

  /** Nothing of these runs can be written. */
  const poison = (runId: string) =>
    world.database.db.pool.query(
      `create or replace function refuse_poisoned() returns trigger language plpgsql as $$
         begin
           if new.run_id = '${runId}' then raise exception 'poisoned'; end if;
           return new;
         end $$;
       create or replace trigger poisoned before insert on flow_run_step
         for each row execute function refuse_poisoned()`,
    )

  test('waits 1, 5 and 30 min, then fails; the 127 others of its batch go on', async () => {
    const asked = await manyRuns()
    const poisoned = asked[77]!.run.id
    await poison(poisoned)
    const desk = createTurnDesk(deps())
    await Promise.all(asked.map(desk))
    const others = asked.map(({ run }) => run.id).filter((id) => id !== poisoned)
    const { rows } = await world.database.db.pool.query<{ n: number }>(
      `select count(*)::int as n from flow_run where id = any($1) and status = 'waiting' and steps = 1`,
      [others],
    )
    expect(rows[0]!.n).toBe(RUNS - 1)
    for (const delayMs of RUN_LIMITS.faultDelaysMs) {
      const run = await runOf(poisoned)
      expect(run).toMatchObject({ status: 'queued', claimId: null })
      expect(run.wakeAt!.getTime() - world.clock.now().getTime()).toBe(delayMs)
      world.clock.advance(delayMs)
      const due = (await claimAll()).filter(({ run: { id } }) => id === poisoned)
      expect(due).toHaveLength(1)
      await desk(due[0]!)
    }
    expect(await runOf(poisoned)).toMatchObject({ status: 'failed', endReason: 'error' })
    expect(asking.events('flow.failed')).toEqual([])
    await whatsApp.settle()
    expect(asking.events('flow.failed')).toMatchObject([{ data: { run: { id: poisoned } } }])
  })

  test('since it throws when it is planned: nothing of it is written, and it waits', async () => {
    const broken = await shop.order(newPhone())
    const sound = await shop.order(newPhone())
    const { variables } = await runOf(broken)
    await kysely()
      .updateTable('flowRun')
      .set({ variables: 'not JSON' })
      .where('id', '=', broken)
      .execute()
    const asked = await claimAll()
    await Promise.all(asked.map(createTurnDesk(deps())))
    expect(await runOf(broken)).toMatchObject({ status: 'queued', faults: 1, steps: 0 })
    expect(await runOf(sound)).toMatchObject({ status: 'running', steps: 1 })
    await kysely().updateTable('flowRun').set({ variables }).where('id', '=', broken).execute()
    world.clock.advance(RUN_LIMITS.faultDelaysMs[0])
    await whatsApp.settle()
    expect(await runOf(broken)).toMatchObject({ status: 'waiting', faults: 0 })
  })
})

test('A run that fails in this way leaves a customer who wrote to it to staff', async () => {
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), text: 'Yes' })]))
  const asked = (await claimAll()).find(({ run }) => run.id === runId)!
  const faults = RUN_LIMITS.faultDelaysMs.length
  await kysely().updateTable('flowRun').set({ faults }).where('id', '=', runId).execute()
  expect(await setRunAside(world.service.context, asked.run)).toBeNull()
  const { status, conversationId } = await runOf(runId)
  expect(status).toBe('failed')
  const conversation = kysely().selectFrom('conversation').select('needsStaff')
  expect(await conversation.where('id', '=', conversationId).execute()).toEqual([
    { needsStaff: true },
  ])
  await whatsApp.settle()
})

test('and one whose message began it, as well', async () => {
  const asking = await whatsApp.openShop({
    trigger: { kind: 'keyword', words: ['menu'] },
    steps: { tell: { kind: 'send_message', text: 'Here it is', next: null } },
  })
  const menu = written({ from: newPhone().slice(1), text: 'menu' })
  await postWebhook(world, webhookOf(asking, [menu]))
  const { run } = (await claimAll()).find((one) => one.run.companyId === asking.companyId)!
  const faults = RUN_LIMITS.faultDelaysMs.length
  await kysely().updateTable('flowRun').set({ faults }).where('id', '=', run.id).execute()
  expect(await setRunAside(world.service.context, run)).toBeNull()
  const conversation = kysely().selectFrom('conversation').select('needsStaff')
  expect(await conversation.where('id', '=', run.conversationId).execute()).toEqual([
    { needsStaff: true },
  ])
  await whatsApp.settle()
})

test('What a call has brought is written once others are out of the way', async () => {
  const id = world.service.context.ids.uuid()
  const call = callStep(id, {}, { next: null, onFailure: null, keep: [] })
  const calling = await whatsApp.openShop({ steps: { call }, start: 'call' })
  await connectApi(world, { id, companyId: calling.companyId, baseUrl: 'https://api.shop.example' })
  const runId = await calling.order(newPhone())
  const [asked] = await claimAll()
  const [turn] = await takeTurns(deps(), [asked!])
  const { number } = turn as Extract<Turn, { kind: 'call' }>
  const made = { httpStatus: 201, attempts: 1, durationMs: 5, kept: {} }
  const called: Called = {
    outcome: { isSuccess: true, ...made },
    closed: {
      number,
      status: 'done',
      detail: null,
      call: { method: 'POST', host: null, path: '/', failure: null, ...made, kept: [] },
    },
  }
  const { readVersion, ...others } = deps()
  let times = 0
  const desk = createTurnDesk({
    ...others,
    readVersion: (db, versionId) => {
      times += 1
      const crowdedOut = Object.assign(new Error('lock timeout'), { code: '55P03' })
      return times === 1 ? Promise.reject(crowdedOut) : readVersion(db, versionId)
    },
  })
  expect(await desk({ run: asked!.run, called })).toMatchObject({ kind: 'rest' })
  const run = await runOf(runId)
  expect(run).toMatchObject({ status: 'completed', faults: 0 })
  expect(JSON.parse(run.variables)).toMatchObject({ http_status: '201' })
})

test('A batch whose commit was confirmed to nobody is taken once', async () => {
  const phones = Array.from({ length: 10 }, newPhone)
  for (const phone of phones) await shop.order(phone)
  const asked = await claimAll()
  expect(kinds(await takeTurns(deps(), asked))).toEqual(Array(10).fill('rest'))
  // The worker heard nothing, and asks again.
  const again = await takeTurns(deps(), asked)
  expect(again).toEqual(Array.from({ length: 10 }, () => ({ kind: 'rest', queued: [] })))
  const { rows } = await world.database.db.pool.query<{ n: number }>(
    `select count(*)::int as n from message where run_id = any($1)`,
    [asked.map(({ run }) => run.id)],
  )
  expect(rows[0]!.n).toBe(10)
  await whatsApp.settle()
  for (const phone of phones) expect(sentTo(phone)).toHaveLength(1)
})
