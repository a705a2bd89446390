import type { Context } from '../../infra/context.ts'
import type { CallQuery, CallView } from '../../contract/dashboard/call.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type { CallFailure, CallMethod } from '../../core/vocabulary/calls.ts'

type CallRow = Awaited<ReturnType<typeof searchCalls>>[number]

/**
 * The company's calls of the last 14 days that match, newest first.
 * Spec: Retention › What is kept.
 */
export async function listCalls(
  context: Pick<Context, 'db'>,
  search: CallQuery & { companyId: string },
): Promise<Page<CallView>> {
  return toPage(await searchCalls(context, search), search.limit, viewCall)
}

function searchCalls(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor, ...by }: CallQuery & { companyId: string },
) {
  const isFailed = by.outcome === 'failed'
  return db.kysely
    .selectFrom('callLog')
    .innerJoin('apiConnection as connection', 'connection.id', 'callLog.connectionId')
    .selectAll('callLog')
    .select(['connection.name as connectionName', 'connection.deletedAt as connectionDeletedAt'])
    .where('callLog.companyId', '=', companyId)
    .$if(by.connectionId !== undefined, (q) =>
      q.where('callLog.connectionId', '=', by.connectionId!),
    )
    .$if(by.source !== undefined, (q) => q.where('callLog.source', '=', by.source!))
    .$if(by.outcome !== undefined, (q) =>
      q.where('callLog.error', isFailed ? 'is not' : 'is', null),
    )
    .$if(by.status !== undefined, (q) => q.where('callLog.status', '=', by.status!))
    .$if(by.runId !== undefined, (q) => q.where('callLog.runId', '=', by.runId!))
    .$if(by.actionId !== undefined, (q) => q.where('callLog.actionId', '=', by.actionId!))
    .$if(by.from !== undefined, (q) => q.where('callLog.startedAt', '>=', by.from!))
    .$if(by.to !== undefined, (q) => q.where('callLog.startedAt', '<', by.to!))
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
    source: sourceOf(row),
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

function sourceOf(row: CallRow): CallView['source'] {
  if (row.source === 'step') return { kind: 'step', runId: row.runId!, stepId: row.stepId! }
  if (row.source === 'test') return { kind: 'test', personId: row.personId! }
  return { kind: 'action', actionId: row.actionId!, conversationId: row.conversationId }
}
