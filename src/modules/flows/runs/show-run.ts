import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import type { Kysely } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type { RunDetail } from '../../../contract/dashboard/run.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { Variables } from './interpret-flow.ts'
import { selectRuns, viewRun } from './list-runs.ts'

type OwnedRun = { companyId: string; runId: string }

/** Returns a run with the customer's replies, in order. @throws not_found */
export async function showRun(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  owned: OwnedRun,
): Promise<RunDetail> {
  const row = await selectRuns(db.kysely, owned.companyId)
    .select([
      'flowRun.channelId',
      'flowRun.idempotencyKey',
      'flowRun.variables',
      'flowRun.stepId',
      'flowRun.waitKind',
      'flowRun.waitUntil',
    ])
    .where('flowRun.id', '=', owned.runId)
    .executeTakeFirst()
  if (!row) throw new ServiceError('not_found', fact('no_such_run'))
  return {
    ...viewRun(formatFact, row),
    channelId: row.channelId,
    idempotencyKey: row.idempotencyKey,
    variables: JSON.parse(row.variables) as Variables,
    stepId: row.stepId,
    waitsFor: row.waitKind as RunDetail['waitsFor'],
    waitsUntil: row.waitUntil?.toISOString() ?? null,
    replies: await loadReplies(db.kysely, owned),
  }
}

async function loadReplies(db: Kysely<DB>, { companyId, runId }: OwnedRun) {
  const rows = await db
    .selectFrom('flowRunReply as reply')
    .innerJoin('message', 'message.id', 'reply.messageId')
    .select(['reply.messageId', 'message.type', 'message.text', 'reply.receivedAt'])
    .where('reply.runId', '=', runId)
    .where('reply.companyId', '=', companyId)
    .orderBy('reply.receivedAt')
    .orderBy('message.occurredAt')
    .orderBy('message.arrival')
    .execute()
  return rows.map((row) => ({ ...row, receivedAt: row.receivedAt.toISOString() }))
}
