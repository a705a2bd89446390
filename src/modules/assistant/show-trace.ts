import { sql, type Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  FeedbackView,
  ReplyDetail,
  StepView,
} from '../../contract/dashboard/assistant-reply.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { REPLY_RETENTION } from '../../core/limits/assistant-setup.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { readReplies, viewReply } from './view-replies.ts'
import { proposalOf, viewStep, type StatementByProposal } from './view-step.ts'

type Owned = { companyId: string; replyId: string }

/**
 * Returns the trace of a reply, which shows how it came about: messages, model requests, tools, corrections and the
 * end. Steps and instructions are kept for 30 days.
 * @throws not_found
 * Spec: Assistant › Trace.
 */
export async function showTrace(
  { db, clock, formatFact }: Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact },
  owned: Owned,
): Promise<ReplyDetail> {
  const { kysely } = db
  const reply = await readReply(kysely, owned)
  const steps = await readSteps(kysely, owned)
  const [heard, said, handover, parts, feedback, [listed]] = await Promise.all([
    readHeard(kysely, owned),
    readSaid(kysely, owned),
    readHandover(kysely, owned),
    readParts(kysely, owned.companyId, steps),
    readFeedback(kysely, owned),
    readReplies(kysely, sql`reply.id = ${owned.replyId}`, 1),
  ])
  const keptUntil = reply.endedAt && new Date(reply.endedAt.getTime() + REPLY_RETENTION.stepMs)
  return {
    ...viewReply(listed!, formatFact),
    heard,
    said,
    handover,
    thinkingAt: reply.thinkingAt?.toISOString() ?? null,
    restarts: reply.restarts,
    keptUntil: keptUntil?.toISOString() ?? null,
    isKept: keptUntil === null || keptUntil > clock.now(),
    steps,
    parts,
    feedback,
  }
}

async function readReply(db: Kysely<DB>, { companyId, replyId }: Owned) {
  return db
    .selectFrom('assistantReply')
    .select(['endedAt', 'thinkingAt', 'restarts'])
    .where('id', '=', replyId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_reply')))
}

async function readSteps(db: Kysely<DB>, { companyId, replyId }: Owned): Promise<StepView[]> {
  const rows = await db
    .selectFrom('assistantStep')
    .selectAll()
    .where('replyId', '=', replyId)
    .where('companyId', '=', companyId)
    .orderBy('epoch')
    .orderBy('number')
    .execute()
  const confirmations = await readConfirmations(
    db,
    companyId,
    rows.flatMap((row) => proposalOf(row) ?? []),
  )
  return rows.map((row) => viewStep(row, confirmations))
}

/** Loads for each proposal the message that stated it last. */
async function readConfirmations(
  db: Kysely<DB>,
  companyId: string,
  proposals: readonly string[],
): Promise<StatementByProposal> {
  if (proposals.length === 0) return new Map()
  const rows = await db
    .selectFrom('actionProposal')
    .leftJoin('message', 'message.id', 'actionProposal.confirmationMessageId')
    .select(['actionProposal.id', 'actionProposal.confirmationSentAt', 'message.text'])
    .where('actionProposal.companyId', '=', companyId)
    .where('actionProposal.id', 'in', proposals)
    .execute()
  return new Map(
    rows.flatMap(({ id, confirmationSentAt, text }) =>
      confirmationSentAt === null
        ? []
        : [[id, { text, at: confirmationSentAt.toISOString() }] as const],
    ),
  )
}

type MessageRow = {
  id: string
  type: string
  text: string | null
  transcript: string | null
  status: string | null
  at: Date
}

/** Loads the customer's messages that the reply covers, up to the newest that the model has seen. */
async function readHeard(db: Kysely<DB>, { companyId, replyId }: Owned) {
  const { rows } = await sql<MessageRow>`
    select message.id, message.type, message.text, message.occurred_at as at,
      case when message.type in ('audio', 'location') then message.transcript end as transcript
    from assistant_reply reply
      join message first on first.id = reply.first_message_id
      join message last on last.id = coalesce(reply.answered_message_id, reply.last_message_id)
      join message on message.conversation_id = reply.conversation_id and message.direction = 'in'
        and message.arrival between first.arrival and last.arrival
    where reply.id = ${replyId} and reply.company_id = ${companyId}
    order by message.occurred_at, message.arrival
    limit 100`.execute(db)
  return rows.map(({ id, type, text, transcript, at }) => ({
    id,
    type,
    text,
    transcript,
    at: at.toISOString(),
  }))
}

/** Loads the sent messages, each in its last attempt. */
async function readSaid(db: Kysely<DB>, { companyId, replyId }: Owned) {
  const { rows } = await sql<MessageRow>`
    select id, type, text, transcript, status, occurred_at as at from message
    where reply_id = ${replyId} and company_id = ${companyId}
      and not exists (select from message later
        where later.send_key = message.send_key and later.attempt > message.attempt)
    order by occurred_at, arrival`.execute(db)
  return rows.map(({ at, ...message }) => ({ ...message, at: at.toISOString() }))
}

async function readHandover(db: Kysely<DB>, { companyId, replyId }: Owned) {
  const row = await db
    .selectFrom('handover')
    .select(['reason', 'reasonText', 'openedAt'])
    .where('replyId', '=', replyId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  if (!row) return null
  const { reason, reasonText, openedAt } = row
  return { reason: reason as HandoverReason, reasonText, at: openedAt.toISOString() }
}

async function readParts(
  db: Kysely<DB>,
  companyId: string,
  steps: readonly StepView[],
): Promise<{ id: string; text: string }[]> {
  const ids = [...new Set(steps.flatMap(({ prompt }) => prompt?.parts ?? []))]
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('promptPart')
    .select(['sha256', 'text'])
    .where('companyId', '=', companyId)
    .where(
      'sha256',
      'in',
      ids.map((id) => Buffer.from(id, 'hex')),
    )
    .execute()
  const texts = new Map(rows.map(({ sha256, text }) => [sha256.toString('hex'), text]))
  return ids.flatMap((id) => {
    const text = texts.get(id)
    return text === undefined ? [] : [{ id, text }]
  })
}

async function readFeedback(
  db: Kysely<DB>,
  { companyId, replyId }: Owned,
): Promise<FeedbackView[]> {
  const rows = await db
    .selectFrom('replyFeedback')
    .innerJoin('person', 'person.id', 'replyFeedback.personId')
    .select(['person.id', 'person.name', 'replyFeedback.isGood'])
    .select(['replyFeedback.note', 'replyFeedback.at'])
    .where('replyId', '=', replyId)
    .where('companyId', '=', companyId)
    .orderBy('at', 'desc')
    .execute()
  return rows.map(({ id, name, isGood, note, at }) => ({
    person: { id, name },
    isGood,
    note: note ?? '',
    at: at.toISOString(),
  }))
}
