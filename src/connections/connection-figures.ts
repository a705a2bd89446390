import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { ConnectionFigures } from '../contract/dashboard/connection.ts'
import { oldestIdAt } from '../ids.ts'
import { CALL_LIMITS } from '../limits/calls.ts'

/**
 * How the calls through each connection of the company went in the last 24 hours, repeats and tests among them: at
 * most so many rows are read as an account may call on two days. Spec: Calls › Connections.
 */
export async function connectionFigures(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId }: { companyId: string },
): Promise<{ items: ConnectionFigures[] }> {
  const since = new Date(clock.now().getTime() - CALL_LIMITS.figuresMs)
  const { rows: items } = await sql<ConnectionFigures>`
    select connection.id as connection_id, count(call.id)::int as calls, count(call.error)::int as failed,
      percentile_disc(0.95) within group (order by call.duration_ms) as p95_ms
    from api_connection connection
      left join call_log call on call.connection_id = connection.id
        and call.id >= ${oldestIdAt(since)}::uuid and call.started_at >= ${since}
    where connection.company_id = ${companyId} and connection.deleted_at is null
    group by connection.id order by connection.id`.execute(db.kysely)
  return { items }
}
