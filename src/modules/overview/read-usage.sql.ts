/** Usage counts of an account and a company, one statement for each table. */
import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

type Of = { accountId: string; companyId: string }
type OnDay = { day: string; used: number }

/**
 * Returns how many automated templates the account's companies have sent by day (UTC), from a day on. Days without any
 * are left out.
 */
export async function readAutomatedTemplateDays(
  db: Kysely<DB>,
  { accountId }: Of,
  from: string,
): Promise<OnDay[]> {
  const { rows } = await sql<OnDay>`
    select day::text, sent as used from template_day
    where account_id = ${accountId} and day >= ${from}::date`.execute(db)
  return rows
}

/**
 * Returns how many attempts to call APIs the account's connections have made by day (UTC), from a day on. Days without
 * any are left out.
 */
export async function readConnectionCallDays(
  db: Kysely<DB>,
  { accountId }: Of,
  from: string,
): Promise<OnDay[]> {
  const { rows } = await sql<OnDay>`
    select day::text, made as used from call_day
    where account_id = ${accountId} and day >= ${from}::date`.execute(db)
  return rows
}

/** Returns the company's delivery attempts and failures by day (UTC), from a day on. */
export async function readDeliveryDays(
  db: Kysely<DB>,
  { companyId }: Of,
  from: string,
): Promise<{ day: string; attempts: number; failures: number }[]> {
  const { rows } = await sql<{ day: string; attempts: number; failures: number }>`
    select (hour at time zone 'UTC')::date::text as day,
      sum(attempts)::int as attempts, sum(failures)::int as failures
    from delivery_hour
    where endpoint_id in (select id from endpoint where company_id = ${companyId})
      and hour >= ${`${from}T00:00:00Z`}::timestamptz
    group by 1`.execute(db)
  return rows
}

/**
 * Returns how many automated templates each company of the account has sent since a time, the highest number first.
 * Companies without any are left out.
 */
export async function readAutomatedTemplatesByCompany(
  db: Kysely<DB>,
  { accountId }: Of,
  since: Date,
): Promise<{ companyId: string; name: string | null; used: number }[]> {
  const { rows } = await sql<{ companyId: string; name: string | null; used: number }>`
    select company_id, company.name, count(*)::int as used
    from template_send join company on company.id = company_id
    where template_send.account_id = ${accountId} and sent_at >= ${since}
    group by company_id, company.name order by used desc, company_id`.execute(db)
  return rows
}

/** Loads the counters of an account's rate limits in a minute, by the name of the limit. */
export async function readMinuteCounts(
  db: Kysely<DB>,
  { accountId }: Of,
  minute: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ what: string; used: number }>`
    select what, used from rate_limit_counter
    where account_id = ${accountId} and minute = ${minute}`.execute(db)
  return new Map(rows.map(({ what, used }) => [what, used]))
}

/**
 * Returns how many hook requests a company has received in the current hour. A window that a node with a faster clock
 * has begun counts as current.
 */
export async function readHookRequests(
  db: Kysely<DB>,
  { companyId }: Of,
  hour: Date,
): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select requests as used from company_hook_count
    where company_id = ${companyId} and window_start >= ${hour}`.execute(db)
  return rows[0]?.used ?? 0
}

/** Returns each hook URL of the company with its requests in the current minute. */
export async function readHookUrls(
  db: Kysely<DB>,
  { companyId }: Of,
  minute: Date,
): Promise<{ hookUrlId: string; flowId: string; flowName: string; used: number }[]> {
  const { rows } = await sql<{ hookUrlId: string; flowId: string; flowName: string; used: number }>`
    select hook_url.id as hook_url_id, flow.id as flow_id, flow.name as flow_name,
      case when window_start >= ${minute} then requests else 0 end as used
    from hook_url join flow on flow.id = hook_url.flow_id
      left join hook_url_count on hook_url_count.hook_url_id = hook_url.id
    where hook_url.company_id = ${companyId} and flow.deleted_at is null
    order by hook_url.id`.execute(db)
  return rows
}

/** The numbers of a company's entities whose number is limited. */
export type Counts = {
  flowsOn: number
  hookUrls: number
  endpoints: number
  connections: number
  aiActions: number
}

/** Counts the company's flows that are on, hook URLs, endpoints, connections and AI actions. */
export async function readCounts(db: Kysely<DB>, { companyId }: Of): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from flow where company_id = ${companyId} and deleted_at is null and is_on
        and published_version_id is not null) as flows_on,
      (select count(*)::int from hook_url where company_id = ${companyId}) as hook_urls,
      (select count(*)::int from endpoint
        where company_id = ${companyId} and deleted_at is null) as endpoints,
      (select count(*)::int from api_connection
        where company_id = ${companyId} and deleted_at is null) as connections,
      (select count(*)::int from ai_action where company_id = ${companyId}) as ai_actions
  `.execute(db)
  return rows[0]!
}
