import { sql } from 'kysely'
import type { SuggestionView } from '../../contract/dashboard/assistant-trial.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import type { ModelDeps } from '../models/model-access.ts'
import { ServiceError } from '../../core/service-error.ts'
import { loadReply } from './load-reply.sql.ts'
import { dryRunReply, transientReply } from './dry-run.ts'
import type { LoadedReply } from './reply.ts'
import { SEARCH_KNOWLEDGE } from './tools/search-knowledge.ts'
import { readAssistant } from './view-assistant.ts'

const NO_WATCH = { observes: new Set<never>(), note: () => {} }

type ConversationRef = { companyId: string; conversationId: string }

/**
 * Suggests an answer in a conversation that staff handles, based on the knowledge and no other tool. Writes and sends
 * nothing; the member decides.
 * @throws not_found; stale when a message arrived meanwhile, which the suggestion does not answer.
 * Spec: Assistant › Trying it out.
 */
export async function suggestReply(
  deps: ModelDeps,
  { signal, ...conversation }: ConversationRef & { signal: AbortSignal },
): Promise<SuggestionView> {
  const newest = await readNewest(deps, conversation)
  const loaded = await prepareReply(deps, conversation, newest.id)
  const { last, failure, steps } = await dryRunReply(deps, loaded, {
    purpose: 'suggestion',
    offered: await SEARCH_KNOWLEDGE.offer(deps, {
      ...conversation,
      accountId: loaded.company.accountId,
      replyId: loaded.reply.id,
      channelType: loaded.conversation.channelType,
      contactId: null,
      language: 'ar',
      timeZone: loaded.company.timeZone,
      now: deps.clock.now(),
    }),
    used: [SEARCH_KNOWLEDGE],
    signal,
  })
  if ((await readNewest(deps, conversation)).count !== newest.count) {
    throw new ServiceError('stale', fact('conversation_went_on'))
  }
  const text = last.kind === 'say' ? last.parts.texts.join('\n\n') : null
  return {
    text,
    failure: text === null ? (failure ?? 'nothing_to_send') : null,
    chunks: steps.flatMap(({ chunks }) => chunks),
  }
}

/** Returns the message that arrived last, and the number of messages. */
async function readNewest(
  { db }: ModelDeps,
  { companyId, conversationId }: ConversationRef,
): Promise<{ id: string; count: number }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count(*) over ()::int as count from message
    where conversation_id = ${conversationId} and company_id = ${companyId}
    order by arrival desc limit 1`.execute(db.kysely)
  if (!rows[0]) throw new ServiceError('not_found', fact('no_such_conversation'))
  return rows[0]
}

/** Loads the reply as if the assistant handled the conversation. */
async function prepareReply(
  { db, ids, clock, models }: ModelDeps,
  { companyId, conversationId }: ConversationRef,
  messageId: string,
): Promise<LoadedReply> {
  const now = clock.now()
  const reply = transientReply({ id: ids.uuid(), companyId, conversationId, messageId, now })
  const loaded = await transaction(db, (tx) =>
    loadReply(tx, reply, { clock, guard: NO_WATCH, operatorModel: () => models.operator() }),
  )
  const { texts, updatedAt, ...settings } = await readAssistant(db.kysely, companyId)
  return {
    ...loaded,
    settings: {
      companyId,
      ...settings,
      isOn: true,
      texts: JSON.stringify(texts),
      updatedAt: updatedAt ?? now,
    },
    conversation: { ...loaded.conversation, handledBy: 'assistant', takenOverUntil: null },
    hasProposal: false,
    isForStaff: true,
    // Transcripts are part of the conversation; nothing more is transcribed or shown for staff.
    able: { hears: false, sees: false },
  }
}
