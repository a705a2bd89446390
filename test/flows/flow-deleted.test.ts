/** A flow that is deleted leaves no run behind: each is cancelled, in silence, and sends nothing more. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { endRunLeftByCustomer } from '../../src/flows/runs/end-run-left.ts'
import { endRunsOfFlow } from '../../src/flows/runs/end-runs-of-deleted.sql.ts'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { callStep, connectApi, json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { newWamid, postWebhook, receipt, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let api: ShopApi
let shop: ConnectedShop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  api = await startShopApi(world)
})
afterAll(async () => {
  await api.close()
  await whatsApp.close()
  await world.close()
})
beforeEach(() => open())
afterEach(() => {
  world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
})

async function open(options: Parameters<SimulatedWhatsApp['openShop']>[0] = {}) {
  shop = await whatsApp.openShop(options)
  owner = await signedIn(world, { accountId: shop.accountId })
}
const kysely = () => world.database.db.kysely
const deleteFlow = async () => {
  const { status } = await owner.ask('DELETE', `/companies/${shop.companyId}/flows/${shop.flowId}`)
  expect(status).toBe(204)
}
const runOf = (id: string) =>
  kysely().selectFrom('flowRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lastStepOf = (runId: string) =>
  kysely()
    .selectFrom('flowRunStep')
    .select(['stepId', 'status'])
    .where('runId', '=', runId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
const messagesOf = (runId: string) =>
  kysely().selectFrom('message').selectAll().where('runId', '=', runId).execute()
const flowEvents = () => shop.events().filter(({ type }) => type.startsWith('flow.'))
const CANCELLED = {
  status: 'cancelled',
  endReason: null,
  endDetail: storeFact(fact('flow_deleted')),
  wakeAt: null,
  claimId: null,
}
const statuses = async () => {
  const { rows } = await world.database.db.pool.query<{ status: string; n: number }>(
    `select status, count(*)::int as n from flow_run where flow_id = $1 group by status`,
    [shop.flowId],
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}
const countWaiting = async () => {
  const { rowCount } = await world.database.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount
}
const hasRunsToEnd = async () => {
  const flow = await kysely()
    .selectFrom('flow')
    .select('hasRunsToEnd')
    .where('id', '=', shop.flowId)
    .executeTakeFirstOrThrow()
  return flow.hasRunsToEnd
}
/** So many more runs that have come as far as this one. */
const manyLike = (runId: string, count: number) =>
  world.database.db.pool.query(
    `insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id, has_sent,
       contact_id, trigger_kind, status, step_id, wait_kind, wait_until, wake_at, created_at)
     select gen_random_uuid(), company_id, flow_id, flow_version_id, channel_id, conversation_id, has_sent,
       contact_id, trigger_kind, status, step_id, wait_kind, wait_until, wake_at, created_at
     from flow_run, generate_series(1, $2) where id = $1`,
    [runId, count],
  )
/** Answers the next send as told, after the flow was deleted. */
async function deleteDuringSend(answer: Parameters<typeof startMeta>[0]) {
  const meta = await startMeta((response, seen) => {
    void deleteFlow().then(() => answer(response, seen))
  })
  world.baseUrls.whatsAppSimulator = meta.url
  const runId = await shop.order(newPhone())
  await whatsApp.settle()
  await meta.stop()
  return { runId, sends: meta.seen.length }
}

describe('a run that is at rest', () => {
  test('is cancelled with the deletion, whether it waits or has not begun', async () => {
    const phone = newPhone()
    const waiting = await shop.order(phone)
    await whatsApp.settle()
    const queued = await shop.order(newPhone())
    await deleteFlow()
    expect(await runOf(waiting)).toMatchObject(CANCELLED)
    expect(await runOf(queued)).toMatchObject(CANCELLED)
    expect(await hasRunsToEnd()).toBe(false)
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(await messagesOf(queued)).toEqual([])
    expect(await messagesOf(waiting)).toHaveLength(1)
    expect(flowEvents()).toEqual([])
  })

  test('to which its customer has written leaves that message to staff, and says nothing more', async () => {
    const meta = await startMeta((response) => void response.destroy())
    world.baseUrls.whatsAppSimulator = meta.url
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    await meta.stop()
    const change = written({ from: phone.slice(1), text: 'On Sunday?', at: world.clock.now() })
    expect(await postWebhook(world, webhookOf(shop, [change]))).toBe(200)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'sent' })
    await deleteFlow()
    expect(await hasRunsToEnd()).toBe(true)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    const { conversationId } = await runOf(runId)
    const conversation = kysely().selectFrom('conversation').select(['needsStaff', 'waitingSince'])
    expect(await conversation.where('id', '=', conversationId).executeTakeFirst()).toEqual({
      needsStaff: true,
      waitingSince: world.clock.now(),
    })
    expect(await messagesOf(runId)).toHaveLength(1)
    expect(flowEvents()).toEqual([])
    world.clock.advance(SECOND_MS)
    await world.service.processAll()
    expect(await hasRunsToEnd()).toBe(false)
  })

  test('to which its customer writes just then leaves that message to staff', async () => {
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    const { conversationId } = await runOf(runId)
    const { db, clock } = world.service.context
    const change = written({ from: phone.slice(1), text: 'On Sunday?', at: clock.now() })
    let taken: Promise<number> | undefined
    await transaction(db, async (tx) => {
      await endRunsOfFlow(tx, shop.flowId, clock.now())
      // Who takes the message in finds the run waiting, and waits for its row.
      taken = postWebhook(world, webhookOf(shop, [change]))
      await expect.poll(countWaiting).toBe(1)
    })
    expect(await taken).toBe(200)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    const kept = kysely().selectFrom('flowRunReply').select('messageId')
    expect(await kept.where('runId', '=', runId).execute()).toEqual([])
    const conversation = kysely().selectFrom('conversation').select(['needsStaff', 'waitingSince'])
    expect(await conversation.where('id', '=', conversationId).executeTakeFirst()).toEqual({
      needsStaff: true,
      waitingSince: clock.now(),
    })
  })

  test('and stays cancelled where its customer leaves it for another flow at this moment', async () => {
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    await deleteFlow()
    const { db, clock, ids } = world.service.context
    // Whoever takes the customer's message in had found it waiting.
    await transaction(db, (tx) => endRunLeftByCustomer(tx, { ids, now: clock.now() }, runId))
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    await whatsApp.settle()
    expect(flowEvents()).toEqual([])
  })

  test('also one that waits to try a refused send again, which it does not', async () => {
    const phone = '+966514130429'
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'running', claimId: null })
    await deleteFlow()
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    world.clock.advance(RUN_LIMITS.sendRetryDelaysMs[0] + SECOND_MS)
    await whatsApp.settle()
    expect(whatsApp.simulator.refusals().filter(({ to }) => to === phone)).toHaveLength(1)
    expect(flowEvents()).toEqual([])
  })

  test('the runs of another flow go on', async () => {
    const other = await whatsApp.openShop()
    const runId = await other.order(newPhone())
    await whatsApp.settle()
    await deleteFlow()
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' })
  })

  systemTest(
    'of each it is looked up whether its customer has written, however many have written to others',
    async () => {
      const runId = await shop.order(newPhone())
      await whatsApp.settle()
      const { db, clock } = world.service.context
      await manyLike(runId, 2 * RUN_LIMITS.endedAtOnce)
      await transaction(db, async (tx) => {
        await sql`insert into flow_run_reply (run_id, message_id, company_id, received_at, consumed_at)
        select run.id, message.id, run.company_id, now(), now() from flow_run run, (
          select id from message where run_id = ${runId} limit 1) message
        where flow_id = ${shop.flowId}`.execute(tx)
        await sql`analyze flow_run, flow_run_reply`.execute(tx)
        await endRunsOfFlow(tx, shop.flowId, clock.now())
        const { rows } = await sql`select seq_scan::int from pg_stat_xact_user_tables
        where relname = 'flow_run_reply'`.execute(tx)
        expect(rows).toEqual([{ seqScan: 0 }])
      })
      expect(await statuses()).toMatchObject({ cancelled: RUN_LIMITS.endedAtOnce })
    },
  )

  systemTest(
    'of very many a deletion ends a bounded number; the rest follows right after',
    async () => {
      const runId = await shop.order(newPhone())
      await whatsApp.settle()
      await manyLike(runId, 2 * RUN_LIMITS.endedAtOnce)
      await deleteFlow()
      expect(await statuses()).toEqual({
        cancelled: RUN_LIMITS.endedAtOnce,
        waiting: RUN_LIMITS.endedAtOnce + 1,
      })
      expect(await hasRunsToEnd()).toBe(true)
      world.clock.advance(SECOND_MS)
      await world.service.processAll()
      expect(await statuses()).toEqual({ cancelled: 2 * RUN_LIMITS.endedAtOnce + 1 })
      expect(await hasRunsToEnd()).toBe(false)
      expect(flowEvents()).toEqual([])
    },
  )
})

describe('a run that is at work writes down what came of it, and is cancelled then', () => {
  test('of a send', async () => {
    const wamid = newWamid()
    const { runId, sends } = await deleteDuringSend((response) => response.end(accepted(wamid)))
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    expect(await messagesOf(runId)).toMatchObject([
      { status: 'accepted', providerMessageId: wamid },
    ])
    expect(await lastStepOf(runId)).toEqual({ stepId: 'tell', status: 'done' })
    expect(sends).toBe(1)
    expect(flowEvents()).toEqual([])
    world.clock.advance(SECOND_MS)
    await world.service.processAll()
    expect(await hasRunsToEnd()).toBe(false)
  })

  test('of a send that was its last step', async () => {
    await open({ steps: { tell: { ...TELL, next: null } } })
    const { runId } = await deleteDuringSend((response) => response.end(accepted(newWamid())))
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    expect(flowEvents()).toEqual([])
  })

  test('of a send whose answer was lost: a later receipt still finds the message', async () => {
    const { runId, sends } = await deleteDuringSend((response) => response.destroy())
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    expect(sends).toBe(1)
    const [message] = await messagesOf(runId)
    expect(message).toMatchObject({ status: 'unknown' })
    expect(await lastStepOf(runId)).toEqual({ stepId: 'tell', status: 'interrupted' })
    const told = { id: newWamid(), status: 'delivered', biz_opaque_callback_data: message!.id }
    await postWebhook(world, webhookOf(shop, [receipt(told)]))
    expect(await messagesOf(runId)).toMatchObject([{ status: 'delivered' }])
  })

  test('of a send that was refused for now: it is not tried again', async () => {
    const busy = { error: { message: 'busy', code: 130429 } }
    const { runId } = await deleteDuringSend((response) => {
      response.statusCode = 429
      response.end(JSON.stringify(busy))
    })
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    expect(await messagesOf(runId)).toMatchObject([{ status: 'failed', errorCode: '130429' }])
    expect(flowEvents()).toEqual([])
  })

  test('of a call to the merchant’s API', async () => {
    const id = world.service.context.ids.uuid()
    const call = callStep(id, {}, { next: 'tell', onFailure: 'tell' })
    await open({ steps: { call, tell: { ...TELL, next: null } }, start: 'call' })
    await connectApi(world, { id, companyId: shop.companyId, baseUrl: api.baseUrl })
    api.reply((request, response) => {
      void deleteFlow().then(() => json(200)(request, response))
    })
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    const steps = await kysely()
      .selectFrom('flowRunStep')
      .select(['stepId', 'status', 'call'])
      .where('runId', '=', runId)
      .orderBy('number')
      .execute()
    expect(steps[0]).toMatchObject({ stepId: 'call', status: 'done' })
    expect(JSON.parse(steps[0]!.call!)).toMatchObject({ httpStatus: 200 })
    expect(await messagesOf(runId)).toEqual([])
    expect(flowEvents()).toEqual([])
  })

  test('also when its worker died: once the lease has ended', async () => {
    const runId = await shop.order(newPhone())
    const claimedUntil = new Date(world.clock.now().getTime() + RUN_LIMITS.leaseMs)
    const claim = { claimId: world.service.context.ids.uuid(), claimedUntil }
    await kysely().updateTable('flowRun').set(claim).where('id', '=', runId).execute()
    await deleteFlow()
    expect(await runOf(runId)).toMatchObject({ status: 'queued' })
    world.clock.advance(RUN_LIMITS.leaseMs + SECOND_MS)
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject(CANCELLED)
    world.clock.advance(SECOND_MS)
    await world.service.processAll()
    expect(await hasRunsToEnd()).toBe(false)
  })
})

const TELL = {
  kind: 'send_template',
  template: 'order_ready',
  language: 'ar',
  header: null,
  body: [
    { name: '1', text: 'you' },
    { name: '2', text: '{{vars.order}}' },
  ],
}
