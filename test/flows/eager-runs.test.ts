/** Runs that a process makes due itself are advanced after the commit, without a claim; the others round-robin. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFlowRunsWorker, type FlowRunsWorker } from '../../src/workers/flow-runs.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { claim as claimFrom, type ToClaim } from '../../src/infra/database/queues/claim.sql.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import { startRuns } from '../../src/modules/flows/runs/start-runs.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { addCompanies } from '../support/records/accounts.ts'
import { endEveryRun, putRun, runOf as runWith } from '../support/records/runs.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { advanceDeps } from '../support/advances.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

let worker: FlowRunsWorker
let woken: number
/** Processes everything, also work for which no worker was woken. */
const settle = async () => {
  await processUnwoken(world)
  await whatsApp.settle()
}
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

beforeEach(() => {
  // Every hook URL has a limit of requests in a minute.
  world.clock.advance(61_000)
  const { context } = world.service
  woken = 0
  worker = createFlowRunsWorker(context, {
    ...advanceDeps(world),
    dispatchMessages() {},
    makeCall: () => Promise.reject(new Error('no flow here calls')),
    claimId: () => context.ids.uuid(),
    onProgress() {},
  })
  context.db.afterCommit.runDispatcher = worker.dispatcher
  context.db.afterCommit.notify = (works) => {
    if (works.has('runs')) woken += 1
  }
})
afterEach(async () => {
  const { afterCommit } = world.service.context.db
  afterCommit.runDispatcher = null
  afterCommit.notify = () => {}
  await settle()
})

const runOf = (id: string) => runWith(world, id)

describe('A run that this process makes due', () => {
  test('by a hook advances for the first time after the commit, without a claim', async () => {
    const runId = await shop.order(newPhone())
    await worker.drain()
    expect(await runOf(runId)).toMatchObject({ status: 'running', steps: 1, claimId: null })
    expect(woken).toBe(0)
  })

  systemTest('by a reply continues after the commit', async () => {
    const phone = newPhone()
    const runId = await shop.order(phone)
    await worker.drain()
    await settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
    woken = 0
    await customerWrites(world, shop, { from: phone, text: 'Tomorrow' })
    await worker.drain()
    expect(await runOf(runId)).toMatchObject({ status: 'completed', claimId: null })
    expect(woken).toBe(0)
  })

  test('waits in the table, and a claim is woken, if no process takes runs', async () => {
    world.service.context.db.afterCommit.runDispatcher = null
    const runId = await shop.order(newPhone())
    expect(await runOf(runId)).toMatchObject({ status: 'queued', claimId: null })
    expect(woken).toBe(1)
  })

  systemTest('is due again once its lease has expired if its process died', async () => {
    const { afterCommit } = world.service.context.db
    const { eagerClaimFor } = worker.dispatcher
    afterCommit.runDispatcher = { eagerClaimFor, take() {} }
    const runId = await shop.order(newPhone())
    const claimed = { status: 'queued', steps: 0, claimId: expect.any(String) }
    expect(await runOf(runId)).toMatchObject(claimed)
    afterCommit.runDispatcher = null
    await world.service.processAll()
    expect(await runOf(runId)).toMatchObject({ status: 'queued' })
    world.clock.advance(RUN_LIMITS.leaseMs + 1_000)
    await settle()
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', waitKind: 'reply' })
  })

  test('leaves its slot to another if it is rolled back', async () => {
    const { db, ids, clock } = world.service.context
    const run = await likeARun()
    for (let again = 0; again <= RUN_LIMITS.eagerPerAccount; again += 1) {
      const broken = transaction(db, async (tx) => {
        await startRuns(tx, { ids, now: clock.now() }, [run])
        throw new Error('changed my mind')
      })
      await expect(broken).rejects.toThrow('changed my mind')
    }
    expect(worker.dispatcher.eagerClaimFor(shop.accountId)).not.toBeNull()
  })
})

test('A limited number of runs is handed over for each account, and none once the process stops', () => {
  const { eagerClaimFor } = worker.dispatcher
  const claims = Array.from({ length: RUN_LIMITS.eagerPerAccount + 1 }, () => eagerClaimFor('one'))
  expect(claims.filter((claim) => claim !== null)).toHaveLength(RUN_LIMITS.eagerPerAccount)
  expect(eagerClaimFor('other')).not.toBeNull()
  worker.halt!()
  expect(eagerClaimFor('another')).toBeNull()
})

/** Returns a run of the shop as one that starts now. */
async function likeARun(of: Shop = shop) {
  const [conversation] = await conversationsOf(world, { companyId: shop.companyId })
  return {
    accountId: of.accountId,
    companyId: of.companyId,
    flowId: of.flowId,
    flowVersionId: of.versionId,
    channelId: of.channelId,
    conversationId: conversation!.id,
    contactId: conversation!.contactId!,
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
    await endEveryRun(world)
    world.service.context.db.afterCommit.runDispatcher = null
    other = await createOwnShop(world)
  })
  afterEach(() => endEveryRun(world))

  type Run = Awaited<ReturnType<typeof likeARun>>
  const start = (runs: readonly Run[]) => {
    const { db, ids, clock } = world.service.context
    return transaction(db, (tx) => startRuns(tx, { ids, now: clock.now() }, runs))
  }
  /** Starts that many runs of a shop, a second after those before. */
  async function queue(count: number, of: Shop) {
    world.clock.advance(1_000)
    const run = await likeARun(of)
    return start(Array.from({ length: count }, () => run))
  }
  const claim = (limit: number, more: Partial<ToClaim> = {}) => {
    const { db, ids, clock } = world.service.context
    return claimFrom(db.kysely, RUN_QUEUE, {
      claimId: ids.uuid(),
      now: clock.now(),
      limit,
      ...more,
    })
  }

  test('round-robin by company: one run is not behind the many that another company queued before', async () => {
    const many = await queue(40, shop)
    const [one] = await queue(1, other)
    const { rows } = await claim(4)
    const ids = rows.map(({ id }) => id)
    expect(ids).toContain(one)
    expect(ids.filter((id) => many.includes(id))).toHaveLength(3)
  })

  test('oldest first within a company, and all of them if there are enough slots', async () => {
    const early = await queue(2, shop)
    const late = await queue(2, shop)
    const first = await claim(2)
    expect(first.rows.map(({ id }) => id).toSorted()).toEqual(early.toSorted())
    const rest = await claim(20)
    expect(rest.rows.map(({ id }) => id).toSorted()).toEqual(late.toSorted())
    expect((await claim(20)).rows).toEqual([])
  })

  test('fairly: a resumed run is not behind new ones', async () => {
    await queue(40, shop)
    const [timedOut] = await queue(1, shop)
    const waitUntil = (await runOf(timedOut!)).dueAt
    await putRun(world, timedOut!, { status: 'waiting', waitKind: 'reply', waitUntil })
    const { rows } = await claim(4)
    expect(rows.map(({ id }) => id)).toContain(timedOut)
  })

  test('for a limited number of companies at a time: the next claim continues after them', async () => {
    const companies = await addCompanies(world, shop, RUN_LIMITS.companiesPerClaim + 3)
    const run = await likeARun()
    await start(companies.map((companyId) => ({ ...run, companyId })))
    const first = await claim(200)
    expect(first.rows).toHaveLength(RUN_LIMITS.companiesPerClaim)
    const second = await claim(200, { after: first.next! })
    expect(second).toMatchObject({ next: null })
    expect([...first.rows, ...second.rows].map(({ companyId }) => companyId).toSorted()).toEqual(
      companies.toSorted(),
    )
  })

  test('except for accounts that have the maximum of calls in flight', async () => {
    await queue(2, shop)
    const [one] = await queue(1, other)
    const { rows } = await claim(10, { without: [shop.accountId] })
    expect(rows.map(({ id }) => id)).toEqual([one])
  })
})
