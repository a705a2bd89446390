import type { Database } from '../../infra/database/connect.ts'
import { createBatcherPerDatabase } from '../../infra/database/batcher.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { PLANS, type Plan } from '../../core/vocabulary/accounts.ts'
import type { ConnectionAuthKind } from '../../core/vocabulary/calls.ts'
import { reserveCall } from './reserve-call.sql.ts'

/** An API connection with what a call needs. */
export type ConnectionForCall = {
  id: string
  companyId: string
  accountId: string
  plan: Plan
  /** The normalised base URL. A deleted connection has no credential. */
  baseUrl: string
  auth: { kind: ConnectionAuthKind; name: string | null }
  sealedCredential: string | null
  headers: { name: string; value: string }[]
  timeoutMs: number
  isOn: boolean
}

/** The connection of a call, with the quota of its first attempt. */
export type ReservedCall = {
  connection: ConnectionForCall
  /** States whether the first attempt was counted in the daily quota; false also for a call that is not allowed. */
  isReserved: boolean
}

type Db = Pick<Database, 'kysely' | 'pool'>

type CallToReserve = {
  companyId: string
  connectionId: string
  /** Allows a call while the connection is off. */
  evenIfOff: boolean
  /** States whether the request could be filled in, so that quota is needed. */
  isReady: boolean
  now: Date
}

/**
 * Loads the connection of a call with its account's plan, and reserves the first attempt in the quota of the UTC day
 * if the call is allowed. Returns null for a deleted connection. Calls that begin at the same time share a statement.
 *
 * Isolation: one statement; accounts in their order. The update locks the row of the day, so that concurrent calls
 * cannot exceed the quota. Spec: Calls › Repeats and limits.
 */
export async function beginCall(db: Db, call: CallToReserve): Promise<ReservedCall | null> {
  const begun = await batchReserve(db, call)
  if (begun === null) return null
  const { connection, isReserved, exceededInBatch } = begun
  if (!exceededInBatch) return { connection, isReserved }
  // The batch reserves an account's calls all or not at all, so a single one may still fit. It is reserved outside
  // the batch, so that an error concerns this call only and no counted statement is repeated.
  const { accountId } = connection
  return { connection, isReserved: await reserveCall(db.kysely, { accountId, now: call.now }) }
}

type BatchedReservation = ReservedCall & { exceededInBatch: boolean }

const batchReserve = createBatcherPerDatabase<Db, CallToReserve, BatchedReservation | null>({
  maxSize: CALL_LIMITS.inOneStatement,
  bisectOnError: true,
  run: beginCalls,
})

const PLANS_WITH_CALLS = PLANS.filter((plan) => PLAN_LIMITS[plan].developer)

// The first array is in a subquery, so that the generic plan assumes an array of any length.
const BEGIN = `
  with found as materialized (
    select input.number, (input.now at time zone 'UTC')::date as today, connection.*,
      input.is_ready and (connection.is_on or input.even_if_off)
        and connection.plan = any($6::text[]) as wants_quota
    from unnest((select $1::uuid[]), $2::uuid[], $3::boolean[], $4::boolean[], $5::timestamptz[])
      with ordinality as input (connection_id, company_id, even_if_off, is_ready, now, number)
    cross join lateral (
      select account_id, plan, base_url, auth_kind, auth_name, credential, headers, timeout_ms, is_on
      from api_connection
        join company on company.id = api_connection.company_id
        join account on account.id = company.account_id
      where api_connection.id = input.connection_id
        and api_connection.company_id = input.company_id and api_connection.deleted_at is null
      limit 1
    ) connection
  ), taken as (
    insert into call_day as counted (account_id, day, made)
    select account_id, today, count(*) from found where wants_quota group by 1, 2 order by 1, 2
    on conflict (account_id, day) do update set made = counted.made + excluded.made
      where counted.made + excluded.made <= $7
    returning account_id, day
  )
  select number::int, found.account_id, plan, base_url, auth_kind, auth_name, credential, headers,
    timeout_ms, is_on, wants_quota, taken.day is not null as is_reserved
  from found left join taken
    on wants_quota and taken.account_id = found.account_id and taken.day = found.today`

async function beginCalls(
  db: Db,
  calls: readonly CallToReserve[],
): Promise<(BatchedReservation | null)[]> {
  const { rows } = await db.pool.query<Row>(BEGIN, [
    calls.map((call) => call.connectionId),
    calls.map((call) => call.companyId),
    calls.map((call) => call.evenIfOff),
    calls.map((call) => call.isReady),
    calls.map((call) => call.now),
    PLANS_WITH_CALLS,
    CALL_LIMITS.perAccountPerDay,
  ])
  const begun: (BatchedReservation | null)[] = calls.map(() => null)
  for (const row of rows) {
    const { is_reserved: isReserved } = row
    begun[row.number - 1] = {
      connection: readConnection(calls[row.number - 1]!, row),
      isReserved,
      exceededInBatch: row.wants_quota && !isReserved && calls.length > 1,
    }
  }
  return begun
}

type Row = {
  number: number
  account_id: string
  plan: Plan
  base_url: string
  auth_kind: ConnectionAuthKind
  auth_name: string | null
  credential: string | null
  headers: string
  timeout_ms: number
  is_on: boolean
  wants_quota: boolean
  is_reserved: boolean
}

const readConnection = (
  { connectionId, companyId }: CallToReserve,
  row: Row,
): ConnectionForCall => ({
  id: connectionId,
  companyId,
  accountId: row.account_id,
  plan: row.plan,
  baseUrl: row.base_url,
  auth: { kind: row.auth_kind, name: row.auth_name },
  sealedCredential: row.credential,
  headers: JSON.parse(row.headers) as { name: string; value: string }[],
  timeoutMs: row.timeout_ms,
  isOn: row.is_on,
})
