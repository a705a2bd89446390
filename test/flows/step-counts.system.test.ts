/** Where the runs of a flow go and end, counted by step; and the runs of one customer, found among many. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StepCounts } from '../../src/contract/dashboard/flow.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunView } from '../../src/contract/dashboard/run.ts'
import { FLOW_LIMITS } from '../../src/limits/flows.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { rowsLookedAt, watchScans, type Scans } from '../support/scans.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let owner: Member
let scans: Scans
beforeAll(async () => {
  scans = watchScans()
  world = await createWorld({ databasePool: '8', hasOwnDatabase: true })
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(async () => {
  scans.stop()
  await whatsApp.close()
  await world.close()
})

const counts = async (of = shop, member = owner) =>
  (
    await member.ask<StepCounts>(
      'GET',
      `/companies/${of.companyId}/flows/${of.flowId}/steps/counts`,
    )
  ).body

async function setTemplate(status: string): Promise<void> {
  await sql`update template set status = ${status} where company_id = ${shop.companyId}`.execute(
    world.database.db.kysely,
  )
}

test('Each step of the published version tells how many runs came to it, failed at it and wait at it', async () => {
  expect(await counts()).toEqual({ number: 1, runs: 0, areAllCounted: true, steps: [] })
  const answered = newPhone()
  for (const phone of [answered, newPhone(), newPhone()]) await shop.order(phone)
  await whatsApp.settle()
  whatsApp.simulator.sendText({
    from: answered.slice(1),
    phoneNumberId: shop.phoneNumberId,
    text: 'Yes',
  })
  await whatsApp.settle()
  await setTemplate('PAUSED')
  await shop.order(newPhone())
  await whatsApp.settle()
  await setTemplate('APPROVED')
  expect(await counts()).toEqual({
    number: 1,
    runs: 4,
    areAllCounted: true,
    steps: [
      { stepId: 'ask', entered: 3, failed: 0, waiting: 2 },
      { stepId: 'finish', entered: 1, failed: 0, waiting: 0 },
      { stepId: 'tell', entered: 4, failed: 1, waiting: 0 },
    ],
  })
})

test('A step that a run comes to again counts once, and has failed only if it never went well', async () => {
  const { db } = world.service.context
  const before = (await counts()).steps.find(({ stepId }) => stepId === 'tell')!
  const id = await shop.order(newPhone())
  await whatsApp.settle()
  await sql`insert into flow_run_step (run_id, number, company_id, step_id, kind, status, started_at)
    values (${id}, 101, ${shop.companyId}, 'tell', 'send_template', 'failed', now()),
      (${id}, 102, ${shop.companyId}, 'tell', 'send_template', 'done', now())`.execute(db.kysely)
  expect((await counts()).steps.find(({ stepId }) => stepId === 'tell')).toEqual({
    ...before,
    entered: before.entered + 1,
  })
})

test('Another version’s runs are not counted, nor a stranger’s flow', async () => {
  const path = `/companies/${shop.companyId}/flows/${shop.flowId}`
  const { body } = await owner.ask<{ published: { definition: object } }>('GET', path)
  world.clock.advance(1_000)
  await owner.ask('PUT', `${path}/draft`, body.published.definition)
  expect((await owner.ask('POST', `${path}/publish`)).status).toBe(200)
  expect(await counts()).toEqual({ number: 2, runs: 0, areAllCounted: true, steps: [] })
  const other = await whatsApp.openShop()
  const wrong = `/companies/${shop.companyId}/flows/${other.flowId}/steps/counts`
  expect((await owner.ask('GET', wrong)).status).toBe(404)
  const draft = await owner.ask<{ id: string }>('POST', `/companies/${shop.companyId}/flows`, {
    name: 'Never published',
  })
  const drawn = `/companies/${shop.companyId}/flows/${draft.body.id}/steps/counts`
  expect((await owner.ask('GET', drawn)).body).toEqual({
    number: null,
    runs: 0,
    areAllCounted: true,
    steps: [],
  })
})

test('Of many runs the latest are counted, and those of 30 days; runs of one customer are found', async () => {
  const { pool } = world.database.db
  const many = await whatsApp.openShop()
  const member = await signedIn(world, { accountId: many.accountId })
  const runs = (query: string) =>
    member.ask<Page<RunView>>('GET', `/companies/${many.companyId}/runs${query}`)
  const phone = newPhone()
  const mine = await many.order(phone)
  await whatsApp.settle()
  const [run] = (await pool.query(`select contact_id from flow_run where id = $1`, [mine]))
    .rows as [{ contact_id: string }]
  const client = await pool.connect()
  /** So many runs with 10 steps each, as old as that; a thousand at a time, as a statement must end in time. */
  const add = async (count: number, ageMs: number) => {
    const at = new Date(world.clock.now().getTime() - ageMs)
    for (let made = 0; made < count; made += 1_000)
      await client.query(
        `with made as (
          insert into flow_run select (jsonb_populate_record(one, jsonb_build_object('id', new_uuid_v7($1),
            'idempotency_key', gen_random_uuid(), 'contact_id', gen_random_uuid(), 'created_at', $1))).*
          from flow_run one, generate_series(1, $2::int) n where one.id = $3 returning id, company_id
        )
        insert into flow_run_step (run_id, number, company_id, step_id, kind, status, started_at)
        select id, n, company_id, 'step-' || n, 'note', 'done', $1 from made, generate_series(1, 10) n`,
        [at, Math.min(1_000, count - made), mine],
      )
  }
  try {
    await client.query(`set session_replication_role = 'replica'`)
    await client.query(`update flow_version set published_at = published_at - interval '40 days'`)
    await add(100, 30 * DAY_MS + 60_000)
    await add(100, 30 * DAY_MS - 60_000)
    expect(await counts(many, member)).toMatchObject({ runs: 101, areAllCounted: true })
    await add(10_000, 31 * DAY_MS)
    await add(FLOW_LIMITS.runsCounted, 60_000)
    await client.query('vacuum (analyze) flow_run, flow_run_step')
  } finally {
    // With what was set for it.
    client.release(true)
  }

  let counted: StepCounts | undefined
  const looked = await scans.of(
    world.database.db,
    'flow_run_step',
    async () => (counted = await counts(many, member)),
  )
  expect(counted).toMatchObject({ runs: FLOW_LIMITS.runsCounted, areAllCounted: false })
  expect(counted!.steps.find(({ stepId }) => stepId === 'step-1')!.entered).toBeGreaterThan(
    FLOW_LIMITS.runsCounted - 10,
  )
  // The 100,000 steps of older runs are not among what is read.
  expect(rowsLookedAt(looked)).toBeLessThanOrEqual(FLOW_LIMITS.runsCounted * 10)

  for (const query of [`?contactId=${run.contact_id}`, `?phone=${encodeURIComponent(phone)}`]) {
    let page: Page<RunView> | undefined
    const found = await scans.of(world.database.db, 'flow_run', async () => {
      page = (await runs(query)).body
    })
    expect(page!.items.map(({ id }) => id)).toEqual([mine])
    expect(rowsLookedAt(found)).toBeLessThanOrEqual(1)
  }
  const nobody = '01890000-0000-7000-8000-000000000000'
  expect((await runs(`?contactId=${nobody}`)).body.items).toEqual([])
  expect((await runs('?contactId=me')).status).toBe(422)
})
