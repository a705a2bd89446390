import { languageOf } from './language.ts'
import type { LoadedReply } from './reply.ts'
import type { ToolContext } from './tools/tool.ts'

/** What tools are told of the reply that uses them. */
export function toolContextOf(hand: LoadedReply, now: Date): ToolContext {
  const { reply, company, conversation } = hand
  return {
    companyId: company.id,
    accountId: company.accountId,
    conversationId: conversation.id,
    replyId: reply.id,
    channelType: conversation.channelType,
    contactId: conversation.contactId,
    language: languageOf(hand),
    timeZone: company.timeZone,
    now,
    ...(hand.offered && { known: hand.offered }),
  }
}
