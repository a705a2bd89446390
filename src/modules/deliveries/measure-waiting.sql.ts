import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../infra/database/connect.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { DELIVERY_ENGINE, METRICS_LIMITS } from '../../core/limits/deliveries.ts'

/**
 * Returns the numbers of waiting deliveries for `/metrics`, and how many seconds the oldest ones have waited (null
 * without any). A due delivery counts as postponed when its endpoint fails and has fewer slots than usual, as it then
 * waits for its receiver. Counts stop at 100,000 in total and 10,000 per queue of an endpoint.
 *
 * A skip scan of the partial index finds the endpoints of each queue, so the cost is that of the rows counted. The
 * statement times out after a second.
 */
export async function measureWaiting(db: Pick<Database, 'kysely' | 'afterCommit'>, now: Date) {
  const { rows } = await transaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(METRICS_LIMITS.withinMs)}, true)`.execute(
      tx,
    )
    return sql<Row>`
      with recursive waiting (queue, endpoint_id, due_at) as (
        (select queue, endpoint_id, due_at from delivery_queue
          where claim_id is null order by queue, endpoint_id, due_at limit 1)
        union all
        select following.* from waiting cross join lateral (
          select queue, endpoint_id, due_at from delivery_queue
          where claim_id is null and (queue, endpoint_id) > (waiting.queue, waiting.endpoint_id)
          order by queue, endpoint_id, due_at limit 1) following
      ), of_endpoint as materialized (
        select waiting.due_at, coalesce(endpoint_health.slots, ${SLOTS}) < ${SLOTS} as fails
        from waiting left join endpoint_health using (endpoint_id) where waiting.due_at <= ${now}
      ), held as materialized (
        select waiting.endpoint_id, oldest.created_at
        from waiting cross join lateral (
          select created_at from webhook_delivery
          where endpoint_id = waiting.endpoint_id and odd_state = 'held' order by id limit 1) oldest
        where queue = 'held'
      )
      select
        (select min(due_at) from of_endpoint where not fails) as due_at,
        (select min(due_at) from of_endpoint where fails) as postponed_at,
        (select min(created_at) from held) as held_at,
        ${counted(sql`due_at <= ${now}`)} as due,
        ${counted(sql`due_at > ${now}`)} as scheduled,
        ${counted(sql`queue = 'held'`)} as held
    `.execute(tx)
  })
  const { dueAt, postponedAt, heldAt, ...counts } = rows[0]!
  const seconds = (at: Date | null) => (at ? (now.getTime() - at.getTime()) / 1_000 : null)
  return {
    oldestSeconds: { due: seconds(dueAt), postponed: seconds(postponedAt), held: seconds(heldAt) },
    counts,
  }
}

/** Builds the count of waiting deliveries that meet `condition`, in the queues that were found. */
const counted = (condition: RawBuilder<unknown>) => sql`
  (select count(*)::int from (select from waiting cross join lateral (
    select from delivery_queue
    where queue = waiting.queue and endpoint_id = waiting.endpoint_id and claim_id is null and ${condition}
    limit ${METRICS_LIMITS.ofEndpoint}) one limit ${METRICS_LIMITS.inAll}) found)`

const SLOTS = DELIVERY_ENGINE.inFlightPerEndpoint

type Row = {
  dueAt: Date | null
  postponedAt: Date | null
  heldAt: Date | null
  due: number
  scheduled: number
  held: number
}
