import type pg from 'pg'
import { CLOCK_SKEW_MS, HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import type { AccountHold, Plan } from '../../core/vocabulary/accounts.ts'

/** A hook URL with its flow, as they are now, and its request counters. */
export type CountedHook = {
  hookId: string
  company: { id: string; name: string | null }
  accountId: string
  plan: Plan
  /** The reason for which the account does nothing; null while it works. */
  hold: AccountHold | null
  /** The operator's limit of automated templates a day; null for the limit of the plan. */
  templatesPerDay: number | null
  flow: {
    id: string
    isOn: boolean
    publishedVersionId: string | null
    /** Number of the company's active flows that were published before this one. */
    publishedBefore: number
  }
  channel: { id: string; type: string; isConnected: boolean; country: string | null } | null
  /** Requests to the URL in this clock minute, including those of this batch. */
  urlRequests: number
  /** Requests to the company's hooks in this clock hour, including those of this batch. */
  companyRequests: number
}

/** The hooks found, by the hash of their token in hexadecimal. */
export type CountedHooks = { isPaused: boolean; byToken: Map<string, CountedHook> }

/**
 * Finds the hooks of tokens and counts their requests, in a separate statement, so that counter rows are locked
 * briefly and a request that is refused later stays counted. Hooks are read as they are now: a replaced URL or a
 * switched-off flow has effect on every node. A node whose clock is slightly behind counts into a window that another
 * has begun. A window farther in the future is from before the clock was set back, and is replaced. While hooks are
 * paused, nothing is counted.
 *
 * Spec: Hooks › Counting.
 *
 * Isolation: counter rows are inserted or locked in the order of their ids, so that two batches that count the same
 * hooks cannot deadlock.
 */
export async function countRequests(
  db: pg.PoolClient,
  requests: ReadonlyMap<string, { tokenHash: Buffer; count: number }>,
  now: Date,
): Promise<CountedHooks> {
  const requested = [...requests.values()]
  const { rows } = await db.query<Row>({
    name: 'count-hook-requests',
    text: `
      with requested as (
        select * from unnest($1::bytea[], $2::int[]) as requested (token_hash, requests)
      ), paused as materialized (
        select coalesce((select is_on from operator_switch where name = 'hooks_paused'), false)
          as is_on
      ), found as materialized (
        select requested.token_hash, requested.requests, hook.id as hook_id, hook.company_id, hook.flow_id
        from requested cross join lateral (
          select id, company_id, flow_id from hook_url
          where token_hash = requested.token_hash limit 1
        ) hook
      ), of_url as (
        insert into hook_url_count as counter (hook_url_id, company_id, window_start, requests)
        select hook_id, company_id, $3, requests from found, paused where not paused.is_on
        order by hook_id
        on conflict (hook_url_id) do update set
          requests = case when counter.window_start between excluded.window_start and $5
            then counter.requests + excluded.requests else excluded.requests end,
          window_start = case when counter.window_start between excluded.window_start and $5
            then counter.window_start else excluded.window_start end
        returning hook_url_id, requests
      ), of_company as (
        insert into company_hook_count as counter (company_id, window_start, requests)
        select company_id, $4, sum(requests) from found, paused where not paused.is_on
        group by company_id order by company_id
        on conflict (company_id) do update set
          requests = case when counter.window_start between excluded.window_start and $5
            then counter.requests + excluded.requests else excluded.requests end,
          window_start = case when counter.window_start between excluded.window_start and $5
            then counter.window_start else excluded.window_start end
        returning company_id, requests
      )
      select paused.is_on as is_paused, found.token_hash, found.hook_id, ${HOOK_COLUMNS},
        of_url.requests as url_requests, of_company.requests as company_requests
      from paused left join found on true ${HOOK_JOINS}
        left join of_url on of_url.hook_url_id = found.hook_id
        left join of_company on of_company.company_id = found.company_id`,
    values: [
      requested.map((request) => request.tokenHash),
      requested.map((request) => request.count),
      new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS),
      new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS),
      new Date(now.getTime() + CLOCK_SKEW_MS),
    ],
  })
  return {
    isPaused: rows[0]?.is_paused ?? false,
    byToken: new Map(
      rows.flatMap((row) => (row.hook_id ? [[row.token_hash.toString('hex'), readRow(row)]] : [])),
    ),
  }
}

/**
 * Returns whether hooks are paused, and the hashes of those tokens that belong to hooks, in hexadecimal. Counts nothing,
 * for use when the counters cannot be written.
 */
export async function findTokens(
  db: pg.PoolClient,
  tokenHashes: readonly Buffer[],
): Promise<{ isPaused: boolean; known: Set<string> }> {
  const { rows } = await db.query<{ is_paused: boolean; token_hash: Buffer | null }>({
    name: 'find-hook-tokens',
    text: `select paused.is_on as is_paused, found.token_hash
      from (select coalesce((select is_on from operator_switch where name = 'hooks_paused'), false)
          as is_on) paused
        left join (select token_hash from hook_url where token_hash = any($1::bytea[])) found on true`,
    values: [tokenHashes],
  })
  return {
    isPaused: rows[0]?.is_paused ?? false,
    known: new Set(rows.flatMap((row) => row.token_hash?.toString('hex') ?? [])),
  }
}

const HOOK_COLUMNS = `
  company.id as company_id, company.name as company_name, company.account_id, account.plan, account.hold,
  account.templates_per_day, flow.id as flow_id, flow.is_on, flow.published_version_id,
  (select count(*)::int from flow other
    where other.company_id = flow.company_id and other.deleted_at is null and other.is_on
      and other.published_version_id is not null
      and (other.first_published_at, other.id) < (flow.first_published_at, flow.id)
  ) as published_before,
  channel.id as channel_id, channel.type as channel_type, channel.is_connected, channel.country`

const HOOK_JOINS = `
  left join company on company.id = found.company_id
  left join account on account.id = company.account_id
  left join flow on flow.id = found.flow_id
  left join flow_version on flow_version.id = flow.published_version_id
  left join channel on channel.id = flow_version.channel_id`

type Row = {
  is_paused: boolean
  token_hash: Buffer
  hook_id: string | null
  company_id: string
  company_name: string | null
  account_id: string
  plan: Plan
  hold: AccountHold | null
  templates_per_day: number | null
  flow_id: string
  is_on: boolean
  published_version_id: string | null
  published_before: number
  channel_id: string | null
  channel_type: string
  is_connected: boolean
  country: string | null
  url_requests: number | null
  company_requests: number | null
}

function readRow(row: Row): CountedHook {
  return {
    hookId: row.hook_id!,
    company: { id: row.company_id, name: row.company_name },
    accountId: row.account_id,
    plan: row.plan,
    hold: row.hold,
    templatesPerDay: row.templates_per_day,
    flow: {
      id: row.flow_id,
      isOn: row.is_on,
      publishedVersionId: row.published_version_id,
      publishedBefore: row.published_before,
    },
    channel: row.channel_id
      ? {
          id: row.channel_id,
          type: row.channel_type,
          isConnected: row.is_connected,
          country: row.country,
        }
      : null,
    urlRequests: row.url_requests ?? 0,
    companyRequests: row.company_requests ?? 0,
  }
}
