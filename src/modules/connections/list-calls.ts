import type { Context } from '../../infra/context.ts'
import type { CallQuery, CallView } from '../../contract/dashboard/call.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type { CallFailure, CallMethod } from '../../core/vocabulary/calls.ts'

type CallRow = Awaited<ReturnType<typeof searchCalls>>[number]

/**
 * Returns a page of the company's matching calls of the last 14 days, newest first.
 * Spec: Retention › Retention periods.
 */
export async function listCalls(
  context: Pick<Context, 'db'>,
  search: CallQuery & { companyId: string },
): Promise<Page<CallView>> {
  return toPage(await searchCalls(context, search), search.limit, viewCall)
}

function searchCalls(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor, ...filter }: CallQuery & { companyId: string },
) {
  const isFailed = filter.outcome === 'failed'
  return db.kysely
    .selectFrom('callLog')
    .innerJoin('apiConnection as connection', 'connection.id', 'callLog.connectionId')
    .selectAll('callLog')
    .select(['connection.name as connectionName', 'connection.deletedAt as connectionDeletedAt'])
    .where('callLog.companyId', '=', companyId)
    .$if(filter.connectionId !== undefined, (q) =>
      q.where('callLog.connectionId', '=', filter.connectionId!),
    )
    .$if(filter.source !== undefined, (q) => q.where('callLog.source', '=', filter.source!))
    .$if(filter.outcome !== undefined, (q) =>
      q.where('callLog.error', isFailed ? 'is not' : 'is', null),
    )
    .$if(filter.status !== undefined, (q) => q.where('callLog.status', '=', filter.status!))
    .$if(filter.runId !== undefined, (q) => q.where('callLog.runId', '=', filter.runId!))
    .$if(filter.actionId !== undefined, (q) => q.where('callLog.actionId', '=', filter.actionId!))
    .$if(filter.from !== undefined, (q) => q.where('callLog.startedAt', '>=', filter.from!))
    .$if(filter.to !== undefined, (q) => q.where('callLog.startedAt', '<', filter.to!))
    .$if(cursor !== undefined, (q) => q.where('callLog.id', '<', cursor!))
    .orderBy('callLog.id', 'desc')
    .limit(limit + 1)
    .execute()
}

function viewCall(row: CallRow): CallView {
  return {
    id: row.id,
    connection: {
      id: row.connectionId,
      name: row.connectionName,
      isDeleted: row.connectionDeletedAt !== null,
    },
    source: viewSource(row),
    method: row.method as CallMethod,
    host: row.host,
    path: row.path,
    isRepeat: row.isRepeat,
    httpStatus: row.status,
    failure: row.error as CallFailure | null,
    durationMs: row.durationMs,
    startedAt: row.startedAt.toISOString(),
  }
}

function viewSource(row: CallRow): CallView['source'] {
  if (row.source === 'step') return { kind: 'step', runId: row.runId!, stepId: row.stepId! }
  if (row.source === 'test') return { kind: 'test', personId: row.personId! }
  return { kind: 'action', actionId: row.actionId!, conversationId: row.conversationId }
}
