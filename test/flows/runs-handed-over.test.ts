/** Runs that a process makes due itself are taken on after the commit, without a claim; the rest by turns. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRunFlowsDuty, type RunFlowsDuty } from '../../src/daemon/run-flows.ts'
import { transaction } from '../../src/database/transaction.ts'
import { createVersionReader } from '../../src/flows/design/load-version.ts'
import { claimRuns, FIRST_COMPANY } from '../../src/flows/runs/claim-runs.sql.ts'
import { startRuns } from '../../src/flows/runs/start-runs.ts'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let duty: RunFlowsDuty
let woken: number
/** Lets everything happen, also what nobody is woken for here. */
const settle = async () => {
  await processUnwoken(world)
  await whatsApp.settle()
}
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})
beforeEach(() => {
  // Every hook URL has its requests of a minute.
  world.clock.advance(61_000)
  const { context } = world.service
  woken = 0
  duty = createRunFlowsDuty(context, {
    readVersion: createVersionReader(),
    claimFor: () => null,
    publicUrl: () => 'http://localhost',
    handOver() {},
    makeCall: () => Promise.reject(new Error('no flow here calls')),
    claimId: () => context.ids.uuid(),
    onProgress() {},
  })
  context.db.afterCommit.handOverRuns = duty.handOver
  context.db.afterCommit.wake = (works) => {
    if (works.has('runs')) woken += 1
  }
})
afterEach(async () => {
  const { afterCommit } = world.service.context.db
  afterCommit.handOverRuns = null
  afterCommit.wake = () => {}
  await settle()
})

const kysely = () => world.database.db.kysely
const runOf = (id: string) =>
  kysely().selectFrom('flowRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('A run that this process makes due', () => {
  test('by a hook takes its first turn after the commit, without a claim', async () => {
    const runId = await shop.order(newPhone())
    await duty.drain()
    expect(await runOf(runId)).toMatchObject({ status: 'running', steps: 1, claimId: null })
    expect(woken).toBe(0)
  })

  systemTest('by a reply goes on after the commit', async () => {
    const phone = newPhone()
    const runId = await shop.order(phone)
    await duty.drain()
    await settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    woken = 0
    const message = written({ from: phone.slice(1), text: 'Tomorrow' })
    expect(await postWebhook(world, webhookOf(shop, [message]))).toBe(200)
    await duty.drain()
    expect(await runOf(runId)).toMatchObject({ status: 'completed', claimId: null })
    expect(woken).toBe(0)
  })

  test('waits in the table, and a claim is woken, where no process takes runs on', async () => {
    world.service.context.db.afterCommit.handOverRuns = null
    const runId = await shop.order(newPhone())
    expect(await runOf(runId)).toMatchObject({ status: 'queued', claimId: null })
    expect(woken).toBe(1)
  })

  systemTest(
    'and whose process dies before it is taken on is due again once its lease has ended',
    async () => {
      const { afterCommit } = world.service.context.db
      const { claimFor } = duty.handOver
      afterCommit.handOverRuns = { claimFor, take() {} }
      const runId = await shop.order(newPhone())
      expect(await runOf(runId)).toMatchObject({ status: 'queued', steps: 0 })
      expect((await runOf(runId)).claimId).not.toBeNull()
      afterCommit.handOverRuns = null
      await world.service.processAll()
      expect(await runOf(runId)).toMatchObject({ status: 'queued' })
      world.clock.advance(RUN_LIMITS.leaseMs + 1_000)
      await settle()
      expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    },
  )

  test('and that is rolled back leaves its place to another', async () => {
    const { db, ids, clock } = world.service.context
    for (let again = 0; again <= RUN_LIMITS.handedOverPerCompany; again += 1) {
      const broken = transaction(db, async (tx) => {
        await startRuns(tx, { ids, now: clock.now() }, [await likeARun()])
        throw new Error('changed my mind')
      })
      await expect(broken).rejects.toThrow('changed my mind')
    }
    expect(duty.handOver.claimFor(shop.companyId)).not.toBeNull()
  })
})

test('Of one company so many runs are handed over, of others as well; the rest waits in the table', () => {
  const claims = Array.from({ length: RUN_LIMITS.handedOverPerCompany + 1 }, () =>
    duty.handOver.claimFor('one'),
  )
  expect(claims.filter((claim) => claim !== null)).toHaveLength(RUN_LIMITS.handedOverPerCompany)
  expect(duty.handOver.claimFor('other')).not.toBeNull()
})

test('A process that stops has nothing more handed over', () => {
  duty.halt!()
  expect(duty.handOver.claimFor('one')).toBeNull()
})

/** A run of the shop as one that starts now. */
async function likeARun(of: Shop = shop) {
  const conversation = await kysely()
    .selectFrom('conversation')
    .selectAll()
    .where('companyId', '=', shop.companyId)
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    companyId: of.companyId,
    flowId: of.flowId,
    flowVersionId: of.versionId,
    channelId: of.channelId,
    conversationId: conversation.id,
    contactId: conversation.contactId!,
    triggerKind: 'webhook' as const,
    triggerMessageId: null,
    idempotencyKey: null,
    language: null,
    variables: {},
  }
}

describe('Due runs in the table are claimed', () => {
  let other: Shop
  beforeEach(async () => {
    await endAll()
    world.service.context.db.afterCommit.handOverRuns = null
    other = await createShop(world, { phoneNumberId: newPhone().slice(1) })
  })
  afterEach(endAll)

  function endAll() {
    return sql`update flow_run set status = 'cancelled', ended_at = now(), wait_kind = null,
      wait_until = null, wake_at = null, claim_id = null, claimed_until = null
      where ended_at is null`.execute(kysely())
  }

  async function queue(count: number, of: Shop) {
    const { db, ids, clock } = world.service.context
    world.clock.advance(1_000)
    const run = await likeARun(of)
    return transaction(db, (tx) =>
      startRuns(
        tx,
        { ids, now: clock.now() },
        Array.from({ length: count }, () => run),
      ),
    )
  }
  const claim = (limit: number, more: Partial<Parameters<typeof claimRuns>[1]> = {}) => {
    const { db, ids, clock } = world.service.context
    return claimRuns(db.kysely, { claimId: ids.uuid(), now: clock.now(), limit, ...more })
  }

  test('by companies in turn: one run is not behind the many that another queued before', async () => {
    const many = await queue(40, shop)
    const [one] = await queue(1, other)
    const { runs } = await claim(4)
    const ids = runs.map(({ id }) => id)
    expect(ids).toContain(one)
    expect(ids.filter((id) => many.includes(id))).toHaveLength(3)
  })

  test('of a company the oldest due first, and all of them when there is room', async () => {
    const early = await queue(2, shop)
    const late = await queue(2, shop)
    const first = await claim(2)
    expect(first.runs.map(({ id }) => id).toSorted()).toEqual(early.toSorted())
    const rest = await claim(20)
    expect(rest.runs.map(({ id }) => id).toSorted()).toEqual(late.toSorted())
    expect((await claim(20)).runs).toEqual([])
  })

  test('and one that was woken is not behind those that are new', async () => {
    await queue(40, shop)
    const [timedOut] = await queue(1, shop)
    await sql`update flow_run set status = 'waiting', wait_kind = 'reply', wait_until = wake_at
      where id = ${timedOut}`.execute(kysely())
    const { runs } = await claim(4)
    expect(runs.map(({ id }) => id)).toContain(timedOut)
  })

  test('of so many companies at a time: the next claim goes on after them', async () => {
    const { ids, clock } = world.service.context
    const companies = Array.from({ length: RUN_LIMITS.companiesPerClaim + 3 }, () => ids.uuid())
    await sql`insert into company (id, account_id, name, created_at)
      select id, ${shop.accountId}, 'Shop', ${clock.now()}
      from unnest(${companies}::uuid[]) as id`.execute(kysely())
    const run = await likeARun()
    await transaction(world.service.context.db, (tx) =>
      startRuns(
        tx,
        { ids, now: clock.now() },
        companies.map((companyId) => ({ ...run, companyId })),
      ),
    )
    const first = await claim(200)
    expect(first.runs).toHaveLength(RUN_LIMITS.companiesPerClaim)
    const second = await claim(200, { after: first.next! })
    expect(second).toMatchObject({ next: null })
    expect([...first.runs, ...second.runs].map(({ companyId }) => companyId).toSorted()).toEqual(
      companies.toSorted(),
    )
  })

  test('but not of companies that have as many calls under way as one may have', async () => {
    await queue(2, shop)
    const [one] = await queue(1, other)
    const { runs } = await claim(10, { without: [shop.companyId], after: FIRST_COMPANY })
    expect(runs.map(({ id }) => id)).toEqual([one])
  })
})
