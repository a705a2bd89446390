import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  AnsweringView,
  ReplyQuery,
  ReplyView,
} from '../../contract/dashboard/assistant-reply.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { showAssistant, type AssistantDeps } from './view-assistant.ts'
import { readReplies, viewReply } from './view-replies.ts'

type Deps = Pick<Context, 'db'> & { formatFact: FormatFact }

/** Returns a page of the company's replies, newest first, filtered by outcome and feedback. Spec: Assistant › Trace. */
export async function listReplies(
  { db, formatFact }: Deps,
  { companyId, limit, cursor, outcome, feedback }: ReplyQuery & { companyId: string },
): Promise<Page<ReplyView>> {
  const where = [sql`reply.company_id = ${companyId}`]
  if (cursor) {
    where.push(sql`(reply.started_at, reply.id) < (${cursor.by}::timestamptz, ${cursor.id}::uuid)`)
  }
  if (outcome === 'working') where.push(sql`reply.state in ('gathering', 'thinking', 'sending')`)
  else if (outcome) where.push(sql`reply.state = ${outcome}`)
  if (feedback) {
    where.push(sql`exists (select from reply_feedback
      where reply_feedback.reply_id = reply.id and is_good = ${feedback === 'good'})`)
  }
  const rows = await readReplies(db.kysely, sql.join(where, sql` and `), limit + 1)
  return toOrderedPage(
    rows,
    limit,
    ({ id, placedBy }) => ({ by: placedBy, id }),
    (row) => viewReply(row, formatFact),
  )
}

/**
 * Returns the state of the company's assistant, and its last reply in a conversation.
 * @throws not_found
 * Spec: Assistant › Trace.
 */
export async function showAnswering(
  { db, models, formatFact }: Deps & AssistantDeps,
  {
    companyId,
    accountId,
    conversationId,
  }: { companyId: string; accountId: string; conversationId: string },
): Promise<AnsweringView> {
  await db.kysely
    .selectFrom('conversation')
    .select('id')
    .where('id', '=', conversationId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_conversation')))
  const { state } = await showAssistant({ db, models }, { companyId, accountId })
  const where = sql`reply.company_id = ${companyId} and reply.conversation_id = ${conversationId}`
  const [last] = await readReplies(db.kysely, where, 1)
  return { state, reply: last ? viewReply(last, formatFact) : null }
}
