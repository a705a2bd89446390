import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the statement, for use in a `with`, that makes runs due now, claimed or not. The caller has locked them.
 *
 * @param runs a query of `id`, `company_id` and `status`
 */
export const makeRunsDue = (runs: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  insert into run_queue (id, company_id, is_new, due_at)
  select id, company_id, status = 'queued', ${now}::timestamptz from (${runs}) run order by id
  on conflict (id) do update set due_at = excluded.due_at`
