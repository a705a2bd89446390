import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import type { Context } from '../../../infra/context.ts'
import { toOrderedPage } from '../../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../../contract/dashboard/page.ts'
import type {
  RunCall,
  RunMessage,
  RunStepQuery,
  RunStepView,
} from '../../../contract/dashboard/run.ts'
import { fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { SentMessageStatus } from '../../../core/vocabulary/channels.ts'

/** Returns a page of the steps of a run, in order, with their messages and calls. @throws not_found */
export async function listRunSteps(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  { companyId, runId, limit, cursor }: RunStepQuery & { companyId: string; runId: string },
): Promise<Page<RunStepView>> {
  await db.kysely
    .selectFrom('flowRun')
    .select('id')
    .where('id', '=', runId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_run')))
  const rows = await db.kysely
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
    .$if(cursor !== undefined, (query) => query.where('step.number', '>', Number(cursor!.by)))
    .orderBy('step.number')
    .limit(limit + 1)
    .execute()
  const placeOf = ({ number, stepId }: (typeof rows)[number]) => ({ by: `${number}`, id: stepId })
  return toOrderedPage(rows, limit, placeOf, (row) => ({
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

function time(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
