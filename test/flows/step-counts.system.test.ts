/** The counts of a flow's runs by step, and the runs of one customer, found among many. */
import { afterAll, expect, test } from 'vitest'
import type { StepCounts } from '../../src/contract/dashboard/flow.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunView } from '../../src/contract/dashboard/run.ts'
import { FLOW_LIMITS } from '../../src/core/limits/flows.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { addRunStep, runOf } from '../support/records/runs.ts'
import { putTemplates } from '../support/records/templates.ts'
import { rowsLookedAt, watchScans } from '../support/scans.ts'
import { newPhone } from '../support/simulator.ts'
import { openWhatsApp } from '../support/open-world.ts'

const scans = watchScans()
const { world, whatsApp } = await openWhatsApp({ databasePool: '8', hasOwnDatabase: true })
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
afterAll(() => scans.stop())

const pathOf = (of: { companyId: string; flowId: string }) =>
  `/companies/${of.companyId}/flows/${of.flowId}`
const counts = async (of = shop, member = owner) =>
  (await member.ask<StepCounts>('GET', `${pathOf(of)}/steps/counts`)).body
const NOTHING = { runs: 0, areAllCounted: true, steps: [] }

test('Each step of the published version shows how many runs reached it, failed at it and wait at it', async () => {
  expect(await counts()).toEqual({ number: 1, ...NOTHING })
  const answered = newPhone()
  for (const phone of [answered, newPhone(), newPhone()]) await shop.order(phone)
  await whatsApp.settle()
  const { phoneNumberId } = shop
  whatsApp.simulator.sendText({ from: answered, phoneNumberId, text: 'Yes' })
  await whatsApp.settle()
  await putTemplates(world, shop, { status: 'PAUSED' })
  await shop.order(newPhone())
  await whatsApp.settle()
  await putTemplates(world, shop, { status: 'APPROVED' })
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

test('A step that a run reaches again counts once, and has failed only if it never succeeded', async () => {
  const before = (await counts()).steps.find(({ stepId }) => stepId === 'tell')!
  const runId = await shop.order(newPhone())
  await whatsApp.settle()
  for (const [number, status] of [
    [101, 'failed'],
    [102, 'done'],
  ] as const) {
    const step = { number, status, stepId: 'tell', kind: 'send_template' }
    await addRunStep(world, { runId, companyId: shop.companyId }, step)
  }
  expect((await counts()).steps.find(({ stepId }) => stepId === 'tell')).toEqual({
    ...before,
    entered: before.entered + 1,
  })
})

test('Runs of another version are not counted, and flows of another company not found', async () => {
  const path = pathOf(shop)
  const { body } = await owner.ask<{ published: { definition: object } }>('GET', path)
  world.clock.advance(1_000)
  await owner.ask('PUT', `${path}/draft`, body.published.definition)
  expect((await owner.ask('POST', `${path}/publish`)).status).toBe(200)
  expect(await counts()).toEqual({ number: 2, ...NOTHING })
  const { flowId } = await whatsApp.openShop()
  const wrong = `${pathOf({ ...shop, flowId })}/steps/counts`
  expect((await owner.ask('GET', wrong)).status).toBe(404)
  const flows = `/companies/${shop.companyId}/flows`
  const draft = await owner.ask<{ id: string }>('POST', flows, { name: 'Never published' })
  expect(await counts({ ...shop, flowId: draft.body.id })).toEqual({ number: null, ...NOTHING })
})

test('The latest runs of 30 days are counted, at most a limit; runs of one customer are found', async () => {
  const { pool } = world.database.db
  const many = await whatsApp.openShop()
  const member = await signedIn(world, { accountId: many.accountId })
  const runs = (query: string) =>
    member.ask<Page<RunView>>('GET', `/companies/${many.companyId}/runs${query}`)
  const phone = newPhone()
  const mine = await many.order(phone)
  await whatsApp.settle()
  const { contactId } = await runOf(world, mine)
  const client = await pool.connect()
  /**
   * Adds that many runs with 10 steps each and that age; a thousand at a time, because a statement has a time limit.
   */
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
    // Closing the connection ends the settings that were made for it.
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
  // The 100,000 steps of older runs are not read.
  expect(rowsLookedAt(looked)).toBeLessThanOrEqual(FLOW_LIMITS.runsCounted * 10)

  for (const query of [`?contactId=${contactId}`, `?phone=${encodeURIComponent(phone)}`]) {
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
