import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { shareStatement } from '../database/share-statement.ts'
import { CALL_LIMITS, PLAN_LIMITS } from '../limits.ts'
import { PLANS, type ConnectionAuthKind, type Plan } from '../vocabulary.ts'
import { takeCallPlace } from './take-call-place.sql.ts'

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

export type BegunCall = {
  connection: ConnectionForCall
  /** A place of the day was taken for the first attempt. */
  hasPlace: boolean
}

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
 * that no number of calls at once goes over. Spec: Limits › Calls per account per day.
 */
export const beginCall = shareStatement<Asked, BegunCall | null>({
  most: CALL_LIMITS.inOneStatement,
  run: beginCalls,
})

const PLANS_WITH_CALLS = PLANS.filter((plan) => PLAN_LIMITS[plan].developer)

async function beginCalls(
  db: Pick<Database, 'kysely'>,
  asked: readonly Asked[],
): Promise<(BegunCall | null)[]> {
  const { rows } = await sql<Row>`
    with found as materialized (
      select asked.number::int, asked.now, connection.*,
        asked.is_ready and (connection.is_on or asked.even_if_off)
          and connection.plan = any(${PLANS_WITH_CALLS}::text[]) as wants_place
      from unnest(
        ${asked.map((one) => one.connectionId)}::uuid[],
        ${asked.map((one) => one.companyId)}::uuid[],
        ${asked.map((one) => one.evenIfOff)}::boolean[],
        ${asked.map((one) => one.isReady)}::boolean[],
        ${asked.map((one) => one.now)}::timestamptz[]
      ) with ordinality as asked (connection_id, company_id, even_if_off, is_ready, now, number)
      cross join lateral (
        select api_connection.id, company_id, account_id, plan, base_url, auth_kind, auth_name,
          credential, headers, timeout_ms, is_on
        from api_connection
          join company on company.id = api_connection.company_id
          join account on account.id = company.account_id
        where api_connection.id = asked.connection_id
          and api_connection.company_id = asked.company_id and api_connection.deleted_at is null
        limit 1
      ) connection
    ), taken as (
      insert into call_day as counted (account_id, day, made)
      select account_id, (now at time zone 'UTC')::date as day, count(*) from found
      where wants_place group by 1, 2 order by 1, 2
      on conflict (account_id, day) do update set made = counted.made + excluded.made
        where counted.made + excluded.made <= ${CALL_LIMITS.perAccountPerDay}
      returning account_id, day
    )
    select found.*, taken.day is not null as has_place
    from found left join taken on found.wants_place
      and taken.account_id = found.account_id and taken.day = (found.now at time zone 'UTC')::date
  `.execute(db.kysely)
  const begun = new Map<number, BegunCall>()
  for (const row of rows) begun.set(row.number, await readRow(db, row, asked.length))
  return asked.map((_, index) => begun.get(index + 1) ?? null)
}

type Row = {
  number: number
  now: Date
  id: string
  companyId: string
  accountId: string
  plan: Plan
  baseUrl: string
  authKind: ConnectionAuthKind
  authName: string | null
  credential: string | null
  headers: string
  timeoutMs: number
  isOn: boolean
  wantsPlace: boolean
  hasPlace: boolean
}

async function readRow(
  db: Pick<Database, 'kysely'>,
  { accountId, ...row }: Row,
  together: number,
): Promise<BegunCall> {
  // The calls of an account had room together or not at all; one of them alone may still have it.
  const mayHavePlace = row.wantsPlace && !row.hasPlace && together > 1
  const hasPlace =
    row.hasPlace || (mayHavePlace && (await takeCallPlace(db.kysely, { accountId, now: row.now })))
  return {
    hasPlace,
    connection: {
      id: row.id,
      companyId: row.companyId,
      accountId,
      plan: row.plan,
      baseUrl: row.baseUrl,
      auth: { kind: row.authKind, name: row.authName },
      sealedCredential: row.credential,
      headers: JSON.parse(row.headers) as { name: string; value: string }[],
      timeoutMs: row.timeoutMs,
      isOn: row.isOn,
    },
  }
}
