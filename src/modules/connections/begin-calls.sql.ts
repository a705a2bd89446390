import type { Database } from '../../infra/database/connect.ts'
import { createBatcherPerDatabase } from '../../infra/database/batcher.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { PLANS, type Plan } from '../../core/vocabulary/accounts.ts'
import type { ConnectionAuthKind } from '../../core/vocabulary/calls.ts'
import { reserveCall } from './reserve-call.sql.ts'

export type ConnectionForCall = {
  id: string
  companyId: string
  accountId: string
  plan: Plan
  /** In the form in which it is called; deleted ones have lost their credential. */
  baseUrl: string
  auth: { kind: ConnectionAuthKind; name: string | null }
  sealedCredential: string | null
  headers: { name: string; value: string }[]
  timeoutMs: number
  isOn: boolean
}

export type ReservedCall = {
  connection: ConnectionForCall
  /** A place of the day was taken for the first attempt. */
  hasPlace: boolean
}

type Db = Pick<Database, 'kysely' | 'pool'>

type Asked = {
  companyId: string
  connectionId: string
  /** Called also while the connection is off. */
  evenIfOff: boolean
  /** The request is filled in: a place is wanted. */
  isReady: boolean
  now: Date
}

/**
 * Reads the connection of a call as it is at this moment, with the plan of its account, and takes the
 * place of its first attempt among those of the UTC day, if the call may be made. Null when the
 * connection is deleted. Calls that begin at the same time share a statement.
 *
 * Isolation: one statement; accounts in their order, the row of the day locked by its own update, so
 * that no number of calls at once goes over. Spec: Calls › Repeats and limits.
 */
export async function beginCall(db: Db, asked: Asked): Promise<ReservedCall | null> {
  const begun = await beginTogether(db, asked)
  if (begun === null) return null
  const { connection, hasPlace, hadNoRoomTogether } = begun
  if (!hadNoRoomTogether) return { connection, hasPlace }
  // An account's calls had room together or not at all; one of them alone may still have it. Asked beside
  // the batch: a fault here is this call's, and makes no statement again that has counted others.
  const { accountId } = connection
  return { connection, hasPlace: await reserveCall(db.kysely, { accountId, now: asked.now }) }
}

type BegunTogether = ReservedCall & { hadNoRoomTogether: boolean }

const beginTogether = createBatcherPerDatabase<Db, Asked, BegunTogether | null>({
  most: CALL_LIMITS.inOneStatement,
  isHalved: true,
  run: beginCalls,
})

const PLANS_WITH_CALLS = PLANS.filter((plan) => PLAN_LIMITS[plan].developer)

// Hidden in a query of its own, the first array is planned for as one of any length, once for all.
const BEGIN = `
  with found as materialized (
    select asked.number, (asked.now at time zone 'UTC')::date as today, connection.*,
      asked.is_ready and (connection.is_on or asked.even_if_off)
        and connection.plan = any($6::text[]) as wants_place
    from unnest((select $1::uuid[]), $2::uuid[], $3::boolean[], $4::boolean[], $5::timestamptz[])
      with ordinality as asked (connection_id, company_id, even_if_off, is_ready, now, number)
    cross join lateral (
      select account_id, plan, base_url, auth_kind, auth_name, credential, headers, timeout_ms, is_on
      from api_connection
        join company on company.id = api_connection.company_id
        join account on account.id = company.account_id
      where api_connection.id = asked.connection_id
        and api_connection.company_id = asked.company_id and api_connection.deleted_at is null
      limit 1
    ) connection
  ), taken as (
    insert into call_day as counted (account_id, day, made)
    select account_id, today, count(*) from found where wants_place group by 1, 2 order by 1, 2
    on conflict (account_id, day) do update set made = counted.made + excluded.made
      where counted.made + excluded.made <= $7
    returning account_id, day
  )
  select number::int, found.account_id, plan, base_url, auth_kind, auth_name, credential, headers,
    timeout_ms, is_on, wants_place, taken.day is not null as has_place
  from found left join taken
    on wants_place and taken.account_id = found.account_id and taken.day = found.today`

async function beginCalls(db: Db, asked: readonly Asked[]): Promise<(BegunTogether | null)[]> {
  const { rows } = await db.pool.query<Row>(BEGIN, [
    asked.map((one) => one.connectionId),
    asked.map((one) => one.companyId),
    asked.map((one) => one.evenIfOff),
    asked.map((one) => one.isReady),
    asked.map((one) => one.now),
    PLANS_WITH_CALLS,
    CALL_LIMITS.perAccountPerDay,
  ])
  const begun: (BegunTogether | null)[] = asked.map(() => null)
  for (const row of rows) {
    const { has_place: hasPlace } = row
    begun[row.number - 1] = {
      connection: readConnection(asked[row.number - 1]!, row),
      hasPlace,
      hadNoRoomTogether: row.wants_place && !hasPlace && asked.length > 1,
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
  wants_place: boolean
  has_place: boolean
}

const readConnection = ({ connectionId, companyId }: Asked, row: Row): ConnectionForCall => ({
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
