/** Records in such numbers that only a single statement adds them in time. */
import { sql } from 'kysely'
import type pg from 'pg'
import { nowOf, storeOf, type Recorded } from './records.ts'

/** Adds runs that ended now, each with a step, and as many events that were delivered now. */
export async function addEndedRuns(
  world: Recorded,
  {
    companyId,
    channelId,
    flowId,
    versionId,
    endpointId,
  }: Record<'companyId' | 'channelId' | 'flowId' | 'versionId' | 'endpointId', string>,
  { conversationId, count }: { conversationId: string; count: number },
): Promise<void> {
  const now = nowOf(world)
  await sql`
    with run as (
      insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
        trigger_kind, status, created_at, ended_at)
      select new_uuid_v7(${now}), ${companyId}, ${flowId}, ${versionId}, ${channelId}, ${conversationId},
        'webhook', 'skipped', ${now}::timestamptz, ${now}
      from generate_series(1, ${count}::int) returning id
    ), step as (
      insert into flow_run_step (run_id, number, company_id, step_id, kind, status, started_at)
      select id, 1, ${companyId}, 'end', 'end', 'done', ${now}::timestamptz from run
    ), raised as (
      insert into event (id, company_id, type, occurred_at)
      select new_uuid_v7(${now}), ${companyId}, 'ping', ${now}::timestamptz
      from generate_series(1, ${count}::int) returning id
    ), body as (
      insert into event_body (id, api_version, body) select id, '2026-10', '' from raised
    )
    insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version, kind, state,
      created_at, ended_at)
    select new_delivery_id(id), ${companyId}, ${endpointId}, id, id, '2026-10', 'event',
      'delivered', ${now}::timestamptz, ${now} from raised`.execute(storeOf(world))
}

/**
 * Adds rows like an existing one of a table, except for the fields that differ from row to row: JSON with the
 * number `n`.
 */
export async function multiply(
  client: Pick<pg.ClientBase, 'query'>,
  table: string,
  unlike: string,
  count: number,
): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(`
    select string_agg(attname, ', ') as columns from pg_attribute
    where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
  const { columns } = rows[0]!
  await client.query(`
    insert into ${table} (${columns}) select made.${columns.replaceAll(', ', ', made.')}
    from ${table} one, generate_series(1, ${count}) n,
      jsonb_populate_record(one, jsonb_build_object('n', n, ${unlike})) made
    where one.ctid = (select ctid from ${table} limit 1)`)
}

/** Returns the names of the partitions that had no row when they were analyzed. */
export async function emptyPartitions(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select relname as name from pg_class where relispartition and relpages = 0',
  )
  return new Set(rows.map(({ name }) => name))
}
