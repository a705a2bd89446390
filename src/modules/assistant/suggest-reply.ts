import { sql } from 'kysely'
import type { SuggestionView } from '../../contract/dashboard/assistant-trial.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import type { ModelDeps } from '../models/model-access.ts'
import { ServiceError } from '../../core/service-error.ts'
import { loadReply } from './load-reply.sql.ts'
import { dryRunReply, replyOfNobody } from './dry-run.ts'
import type { LoadedReply } from './reply.ts'
import { SEARCH_KNOWLEDGE } from './tools/search-knowledge.ts'
import { readAssistant } from './view-assistant.ts'

const NO_WATCH = { observes: new Set<never>(), note: () => {} }

type Asked = { companyId: string; conversationId: string }

/**
 * What the assistant would answer in a conversation that somebody of the staff has: by the knowledge, with no
 * other tool. Nothing is written or sent; the person sends it, or not.
 * @throws not_found; stale when somebody wrote meanwhile: what was thought out answers something else.
 * Spec: Assistant › Trying it out.
 */
export async function suggestReply(
  deps: ModelDeps,
  { signal, ...asked }: Asked & { signal: AbortSignal },
): Promise<SuggestionView> {
  const newest = await readNewest(deps, asked)
  const hand = await makeHand(deps, asked, newest.id)
  const { last, failure, steps } = await dryRunReply(deps, hand, {
    purpose: 'suggestion',
    offered: await SEARCH_KNOWLEDGE.offer(deps, {
      ...asked,
      accountId: hand.company.accountId,
      replyId: hand.reply.id,
      channelType: hand.conversation.channelType,
      contactId: null,
      language: 'ar',
      timeZone: hand.company.timeZone,
      now: deps.clock.now(),
    }),
    used: [SEARCH_KNOWLEDGE],
    signal,
  })
  if ((await readNewest(deps, asked)).count !== newest.count) {
    throw new ServiceError('stale', fact('conversation_went_on'))
  }
  const text = last.kind === 'say' ? last.parts.texts.join('\n\n') : null
  return {
    text,
    failure: text === null ? (failure ?? 'nothing_to_send') : null,
    chunks: steps.flatMap(({ chunks }) => chunks),
  }
}

/** The message that arrived last, and how many there are. */
async function readNewest(
  { db }: ModelDeps,
  { companyId, conversationId }: Asked,
): Promise<{ id: string; count: number }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count(*) over ()::int as count from message
    where conversation_id = ${conversationId} and company_id = ${companyId}
    order by arrival desc limit 1`.execute(db.kysely)
  if (!rows[0]) throw new ServiceError('not_found', fact('no_such_conversation'))
  return rows[0]
}

/** As the assistant would have it, whoever has it. */
async function makeHand(
  { db, ids, clock, models }: ModelDeps,
  { companyId, conversationId }: Asked,
  messageId: string,
): Promise<LoadedReply> {
  const now = clock.now()
  const reply = replyOfNobody({ id: ids.uuid(), companyId, conversationId, messageId, now })
  const hand = await transaction(db, (tx) =>
    loadReply(tx, reply, { clock, guard: NO_WATCH, operatorModel: () => models.operator() }),
  )
  const { texts, updatedAt, ...settings } = await readAssistant(db.kysely, companyId)
  return {
    ...hand,
    settings: {
      companyId,
      ...settings,
      isOn: true,
      texts: JSON.stringify(texts),
      updatedAt: updatedAt ?? now,
    },
    conversation: { ...hand.conversation, handledBy: 'assistant', takenOverUntil: null },
    hasProposal: false,
    isForStaff: true,
    // What was heard stands in the talk; nothing more is listened to or shown for staff.
    able: { hears: false, sees: false },
  }
}
