import { sql, type Kysely } from 'kysely'
import type { FailingCalls } from '../../contract/dashboard/home.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'

type Row = {
  connectionId: string
  connectionName: string
  /** The action; null for calls of flows, and for an action that is deleted or switched off. */
  actionId: string | null
  actionName: string | null
  calls: number
  succeeded: number
  lastId: string
  lastStatus: number | null
  lastFailure: CallFailure | null
}

/**
 * Finds active connections whose calls of the last 24 hours all failed, and actions of which that is true while other
 * calls through their connection succeed. Tests do not count, and a repeated call counts once. Reads a bounded number
 * of calls per connection.
 */
export async function findFailingCalls(
  db: Kysely<DB>,
  { companyId, now }: { companyId: string; now: Date },
): Promise<FailingCalls[]> {
  const since = new Date(now.getTime() - CALL_LIMITS.figuresMs)
  const { rows } = await sql<Row>`
    select connection.id as connection_id, connection.name as connection_name,
      action.id as action_id, action.tool_name as action_name,
      (count(*) filter (where not call.is_repeat))::int as calls,
      (count(*) filter (where call.error is null))::int as succeeded,
      max(call.id::text) as last_id,
      (array_agg(call.status order by call.id desc))[1] as last_status,
      (array_agg(call.error order by call.id desc))[1] as last_failure
    from api_connection connection
      cross join lateral (
        select id, action_id, is_repeat, status, error from call_log
        where connection_id = connection.id and id >= ${oldestIdAt(since)}::uuid
          and started_at >= ${since} and source <> 'test'
        order by id desc limit ${CALL_LIMITS.evaluatedCalls}
      ) call
      left join ai_action action on action.id = call.action_id and action.is_on
    where connection.company_id = ${companyId} and connection.deleted_at is null
      and connection.is_on
    group by connection.id, action.id
    order by connection.id, action.id nulls first`.execute(db)
  const ofConnections = Map.groupBy(rows, ({ connectionId }) => connectionId)
  return [...ofConnections.values()].flatMap((parts): FailingCalls[] => {
    const [{ connectionId, connectionName }] = parts as [Row, ...Row[]]
    if (parts.every(isFailing)) {
      const last = parts.toSorted((a, b) => (a.lastId < b.lastId ? 1 : -1))[0]!
      const calls = parts.reduce((sum, part) => sum + part.calls, 0)
      return [
        { kind: 'connection', id: connectionId, name: connectionName, ...summaryOf(last), calls },
      ]
    }
    return parts.flatMap((part): FailingCalls[] =>
      part.actionId === null || !isFailing(part)
        ? []
        : [{ kind: 'action', id: part.actionId, name: part.actionName!, ...summaryOf(part) }],
    )
  })
}

const isFailing = ({ calls, succeeded }: Row): boolean => calls > 0 && succeeded === 0

function summaryOf({ calls, lastStatus, lastFailure }: Row) {
  return { calls, lastStatus, lastFailure: lastFailure! }
}
