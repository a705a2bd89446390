import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the query of the ids whose turn it is, at most `limit` of them: accounts take turns, within an account its
 * companies, and of a company what is due longest comes first. Twenty projects of one account have together the turns of
 * one account, where others wait.
 *
 * @param waiting a query of all that waits: `id`, `company_id` and `due_at`
 */
export const byTurns = (waiting: RawBuilder<unknown>, limit: number): RawBuilder<unknown> => sql`
  select id from (
    select id, due_at, row_number() over (partition by account_id order by nth, due_at, id) as of_account
    from (
      select waiting.id, due_at, account_id,
        row_number() over (partition by company_id order by due_at, waiting.id) as nth
      from (${waiting}) waiting
        cross join lateral (select account_id from company where id = company_id limit 1) company
    ) of_company) of_account
  order by of_account, due_at, id limit ${limit}::int`
