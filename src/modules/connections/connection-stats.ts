import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ConnectionFigures } from '../../contract/dashboard/connection.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'

/**
 * Returns the number of calls, of failed calls and the 95th percentile of their duration for each connection, in the last
 * 24 hours. Tests do not count. A repeated call counts once, and as failed when its repeat failed. Reads at most as many
 * rows as an account may call on two days. Spec: Calls › Connections.
 */
export async function readConnectionFigures(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId }: { companyId: string },
): Promise<{ items: ConnectionFigures[] }> {
  const since = new Date(clock.now().getTime() - CALL_LIMITS.figuresMs)
  const { rows: items } = await sql<ConnectionFigures>`
    select connection.id as connection_id,
      (count(call.id) filter (where not is_repeat))::int as calls,
      -- The first attempt of a repeated call may be older than the period.
      greatest(0, count(call.error) filter (where not is_repeat) - count(*) filter (where is_repeat)
        + count(call.error) filter (where is_repeat))::int as failed,
      percentile_disc(0.95) within group (order by call.duration_ms) as p95_ms
    from api_connection connection
      left join call_log call on call.connection_id = connection.id
        and call.id >= ${oldestIdAt(since)}::uuid and call.started_at >= ${since}
        and call.source <> 'test'
    where connection.company_id = ${companyId} and connection.deleted_at is null
    group by connection.id order by connection.id`.execute(db.kysely)
  return { items }
}
