/** Conversations as modules pass them and as events show them. Spec: Concepts › Conversation. */
import type { Selectable } from 'kysely'
import type { ConversationSummary } from '../../contract/webhook-data.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { cutCodePoints } from '../../rules/text/json-text.ts'
import type { Conversation as ConversationTable } from '../../infra/database/tables.ts'

/** A row of the table of conversations. */
export type ConversationRow = Selectable<ConversationTable>

/** Returns the part of events that names their conversation. */
export function conversationSummary(
  conversation: Pick<ConversationRow, 'id' | 'channelId' | 'channelType'>,
): ConversationSummary {
  return {
    id: conversation.id,
    channelId: conversation.channelId,
    channelType: conversation.channelType,
  }
}

/** Returns the beginning of a message's text, for the lists of the inbox; null for a message without text. */
export function lastTextOf(text: string | null): string | null {
  return text === null ? null : cutCodePoints(text, INBOX_LIMITS.lastTextChars)
}
