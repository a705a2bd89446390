import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import type { Kysely } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type {
  RunCall,
  RunDetail,
  RunMessage,
  RunStepView,
} from '../../../contract/dashboard/run.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { SentMessageStatus } from '../../../core/vocabulary/channels.ts'
import type { Variables } from './interpret-flow.ts'
import { selectRuns, viewRun } from './list-runs.ts'

type OwnedRun = { companyId: string; runId: string }

/** Returns a run with its steps in order, their messages and the customer's replies. @throws not_found */
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
  const [steps, replies] = await Promise.all([
    loadSteps(db.kysely, formatFact, owned),
    loadReplies(db.kysely, owned),
  ])
  return {
    ...viewRun(formatFact, row),
    channelId: row.channelId,
    idempotencyKey: row.idempotencyKey,
    variables: JSON.parse(row.variables) as Variables,
    stepId: row.stepId,
    waitsFor: row.waitKind as RunDetail['waitsFor'],
    waitsUntil: row.waitUntil?.toISOString() ?? null,
    steps,
    replies,
  }
}

async function loadSteps(
  db: Kysely<DB>,
  formatFact: FormatFact,
  { companyId, runId }: OwnedRun,
): Promise<RunStepView[]> {
  const rows = await db
    .selectFrom('flowRunStep as step')
    .leftJoin('message', 'message.id', 'step.messageId')
    .select([
      'step.number',
      'step.stepId',
      'step.kind',
      'step.status',
      'step.detail',
      'step.startedAt',
      'step.endedAt',
      'step.call',
      'message.id as messageId',
      'message.type',
      'message.text',
      'message.templateName',
      'message.templateLanguage',
      'message.status as messageStatus',
      'message.errorCode',
      'message.errorDetail',
      'message.sentAt',
      'message.deliveredAt',
      'message.readAt',
      'message.failedAt',
    ])
    .where('step.runId', '=', runId)
    .where('step.companyId', '=', companyId)
    .orderBy('step.number')
    .execute()
  return rows.map((row) => ({
    number: row.number,
    stepId: row.stepId,
    kind: row.kind,
    status: row.status as RunStepView['status'],
    detail: row.detail === null ? null : formatFact(parseFact(row.detail)),
    startedAt: row.startedAt.toISOString(),
    endedAt: time(row.endedAt),
    message:
      row.messageId === null ? null : viewMessage(formatFact, { ...row, messageId: row.messageId }),
    call: row.call === null ? null : (JSON.parse(row.call) as RunCall),
  }))
}

type MessageColumns = {
  messageId: string
  type: string | null
  text: string | null
  templateName: string | null
  templateLanguage: string | null
  messageStatus: string | null
  errorCode: string | null
  errorDetail: string | null
  sentAt: Date | null
  deliveredAt: Date | null
  readAt: Date | null
  failedAt: Date | null
}

function viewMessage(formatFact: FormatFact, row: MessageColumns): RunMessage {
  return {
    id: row.messageId,
    type: row.type!,
    text: row.text,
    templateName: row.templateName,
    templateLanguage: row.templateLanguage,
    status: row.messageStatus as SentMessageStatus,
    errorCode: row.errorCode,
    errorDetail: row.errorDetail === null ? null : formatFact(parseFact(row.errorDetail)),
    sentAt: time(row.sentAt),
    deliveredAt: time(row.deliveredAt),
    readAt: time(row.readAt),
    failedAt: time(row.failedAt),
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

function time(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
