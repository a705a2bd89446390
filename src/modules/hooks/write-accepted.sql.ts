import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../infra/database/tables.ts'
import { claimNewRuns, insertRuns, type NewRun } from '../flows/runs/start-runs.ts'
import { insertResolved, type NewlyResolved } from '../messaging/write-resolved.sql.ts'

/** The shortened last body of a hook with the status of the response. */
export type NewShape = { hookId: string; companyId: string; body: string; status: string }

/** The rows that the accepted requests of a batch create. */
export type Accepted = {
  /** Customers without a contact or conversation so far. */
  resolved: NewlyResolved
  runs: readonly NewRun[]
  shapes: readonly NewShape[]
}

/**
 * Writes everything that a batch of hook requests has started, in one statement.
 *
 * Isolation: the caller has locked keys and customers, so nothing is written twice; the unique index on (flow, key)
 * would otherwise fail the batch. Shapes are written in the order of their ids, so that two batches cannot deadlock.
 */
export async function writeAccepted(
  kysely: Kysely<DB>,
  client: pg.PoolClient,
  { resolved, runs, shapes }: Accepted,
  now: Date,
): Promise<void> {
  const sorted = shapes.toSorted((a, b) => (a.hookId < b.hookId ? -1 : 1))
  const { sql: text, parameters } = sql`
    with ${insertResolved(resolved, now)}, ${insertRuns(claimNewRuns(client, runs), now)}
    insert into hook_shape (hook_url_id, company_id, body, answer_status, received_at)
    select *, ${now} from unnest(${sorted.map((row) => row.hookId)}::uuid[],
      ${sorted.map((row) => row.companyId)}::uuid[], ${sorted.map((row) => row.body)}::text[],
      ${sorted.map((row) => row.status)}::text[]) as made
    on conflict (hook_url_id) do update set body = excluded.body,
      answer_status = excluded.answer_status, received_at = excluded.received_at`.compile(kysely)
  await client.query({ name: 'write-accepted', text, values: [...parameters] })
}
