import { sql, type RawBuilder } from 'kysely'

type Sql = RawBuilder<unknown>

/** The maximum number of claimed rows of an account, and the rows that are already claimed, by account. */
export type Shares = { maxConcurrentPerAccount: number; claimed: ReadonlyMap<string, number> }

/**
 * Returns the query of at most `limit` ids by round-robin: accounts take turns, within an account its companies, and
 * of a company the row that is due longest comes first. Twenty projects of one account together get the share of one
 * account.
 *
 * @param waiting a query of all waiting rows: `id`, `account_id`, `company_id`, `due_at` and `part`. Two parts of a
 * company take turns like two companies.
 */
export function roundRobin(waiting: Sql, limit: number, shares?: Shares): Sql {
  const held = shares ? sql`coalesce(claimed.count, 0) + ` : sql``
  const claimed = shares
    ? sql`left join unnest(${[...shares.claimed.keys()]}::uuid[], ${[...shares.claimed.values()]}::int[])
        as claimed (account_id, count) using (account_id)`
    : sql``
  const isWithin = shares ? sql`where of_account <= ${shares.maxConcurrentPerAccount}::int` : sql``
  return sql`
    select id from (
      select id, due_at, ${held}row_number() over (partition by account_id order by nth, due_at, id) as of_account
      from (
        select id, due_at, account_id,
          row_number() over (partition by company_id, part order by due_at, id) as nth
        from (${waiting}) waiting
      ) of_company ${claimed}) of_account
    ${isWithin} order by of_account, due_at, id limit ${limit}::int`
}

/** Builds the SQL join of a company's account. It is looked up for each row, however many rows the planner expects. */
export const accountOf = (companyId: Sql): Sql =>
  sql`cross join lateral (select account_id from company where id = ${companyId} limit 1) company`
