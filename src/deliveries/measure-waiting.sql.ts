import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import { DELIVERY_ENGINE, MEASURE } from '../limits/deliveries.ts'

/**
 * Measures what waits, for `/metrics`. A delivery that is due counts as postponed where its endpoint
 * fails and has fewer places than usual: it waits for its own receiver, not for us. Counts stop at
 * 100,000 in all and 10,000 an endpoint.
 *
 * Endpoints with something pending are found by skipping through the partial index, so that the cost is
 * that of what is counted; held ones by one look an endpoint. The statement is ended after a second.
 */
export async function measureWaiting(db: Pick<Database, 'kysely' | 'afterCommit'>, now: Date) {
  const { rows } = await transaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(MEASURE.withinMs)}, true)`.execute(tx)
    return sql<Row>`
      with recursive pending (endpoint_id, due_at) as (
        (select endpoint_id, due_at from webhook_delivery
          where state = 'pending' and claim_id is null order by endpoint_id, due_at limit 1)
        union all
        select following.* from pending cross join lateral (
          select endpoint_id, due_at from webhook_delivery
          where state = 'pending' and claim_id is null and endpoint_id > pending.endpoint_id
          order by endpoint_id, due_at limit 1) following
      ), of_endpoint as materialized (
        select pending.due_at, coalesce(endpoint_health.slots, ${SLOTS}) < ${SLOTS} as fails
        from pending left join endpoint_health using (endpoint_id) where pending.due_at <= ${now}
      ), held as materialized (
        select endpoint.id as endpoint_id, oldest.created_at
        from endpoint cross join lateral (
          select created_at from webhook_delivery
          where endpoint_id = endpoint.id and state = 'held' order by id limit 1) oldest
      )
      select
        (select min(due_at) from of_endpoint where not fails) as due_at,
        (select min(due_at) from of_endpoint where fails) as postponed_at,
        (select min(created_at) from held) as held_at,
        (select count(*)::int from (select from pending cross join lateral (
          select from webhook_delivery
          where endpoint_id = pending.endpoint_id and state = 'pending' and claim_id is null
            and due_at <= ${now} limit ${MEASURE.ofEndpoint}) one limit ${MEASURE.inAll}) due) as due,
        (select count(*)::int from (select from pending cross join lateral (
          select from webhook_delivery
          where endpoint_id = pending.endpoint_id and state = 'pending' and claim_id is null
            and due_at > ${now} limit ${MEASURE.ofEndpoint}) one limit ${MEASURE.inAll}) later)
          as scheduled,
        (select count(*)::int from (select from held cross join lateral (
          select from webhook_delivery
          where endpoint_id = held.endpoint_id and state = 'held'
          limit ${MEASURE.ofEndpoint}) one limit ${MEASURE.inAll}) held) as held
    `.execute(tx)
  })
  const { dueAt, postponedAt, heldAt, ...counts } = rows[0]!
  const seconds = (at: Date | null) => (at ? (now.getTime() - at.getTime()) / 1_000 : null)
  return {
    oldestSeconds: { due: seconds(dueAt), postponed: seconds(postponedAt), held: seconds(heldAt) },
    counts,
  }
}

const SLOTS = DELIVERY_ENGINE.inFlightPerEndpoint

type Row = {
  dueAt: Date | null
  postponedAt: Date | null
  heldAt: Date | null
  due: number
  scheduled: number
  held: number
}
