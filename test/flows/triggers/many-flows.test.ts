/** The cost of a message in a company of a thousand flows. Flows › Triggers. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../../src/infra/database/transaction.ts'
import { FIND_TRIGGERS, findTriggers } from '../../../src/modules/flows/runs/find-triggers.sql.ts'
import { createShop } from '../../support/shop.ts'
import { openWorld } from '../../support/open-world.ts'

const world = await openWorld()

test('a message needs one statement, which uses the index, with a thousand flows of a channel', async () => {
  const shop = await createShop(world, {
    trigger: { kind: 'keyword', words: ['menu'] },
  })
  const { kysely } = world.database.db
  await sql`
    with made as (
      insert into flow (id, company_id, name, is_on, first_published_at, created_at, updated_at)
      select gen_random_uuid(), company_id, 'Flow ' || n, true, first_published_at + n * interval '1 s',
        created_at, updated_at
      from flow, generate_series(1, 1000) n where id = ${shop.flowId}
      returning id, company_id, first_published_at, created_at, name
    ), version as (
      insert into flow_version (id, company_id, flow_id, number, definition, trigger_kind, channel_id,
        published_at, created_at)
      select gen_random_uuid(), made.company_id, made.id, 1, definition, trigger_kind, channel_id,
        published_at, flow_version.created_at
      from made, flow_version where flow_version.id = ${shop.versionId}
      returning id, company_id, flow_id, channel_id
    )
    insert into flow_trigger (flow_version_id, company_id, flow_id, channel_id, kind, key, phrase, is_exact, interrupts)
    select version.id, version.company_id, flow_id, channel_id, 'keyword', 'word' || made.name, 'word', false, false
    from version join made on made.id = version.flow_id
  `.execute(kysely)
  await sql`
    update flow set published_version_id = flow_version.id
    from flow_version where flow_version.flow_id = flow.id`.execute(kysely)
  await sql`analyze flow, flow_version, flow_trigger, flow_run`.execute(kysely)

  const asked = ['hello', 'menu', 'please'].map((key) => ({
    channelId: shop.channelId,
    conversationId: 'c_x',
    kind: 'keyword' as const,
    key,
  }))
  const found = await transaction(world.database.db, (tx) => findTriggers(tx, asked))
  expect(found).toMatchObject([{ nth: 1, flowId: shop.flowId, phrase: 'menu' }])

  const plan = await explainFind(shop.channelId)
  expect(plan).not.toMatch(/Seq Scan on flow( |_trigger)/)
  expect(plan).toContain('flow_trigger_key')
})

async function explainFind(channelId: string): Promise<string> {
  const { rows } = await world.database.db.pool.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off, timing off) ${FIND_TRIGGERS}`,
    [[channelId], ['c_x'], ['keyword'], ['menu'], 25],
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
