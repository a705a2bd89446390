import { languageOf } from './language.ts'
import type { LoadedReply } from './reply.ts'
import type { ToolContext } from './tools/tool.ts'

/** Returns what tools are given about the conversation and about the reply that uses them. */
export function toolContextOf(loaded: LoadedReply, now: Date): ToolContext {
  const { reply, company, conversation } = loaded
  return {
    companyId: company.id,
    accountId: company.accountId,
    conversationId: conversation.id,
    replyId: reply.id,
    channelType: conversation.channelType,
    contactId: conversation.contactId,
    language: languageOf(loaded),
    timeZone: company.timeZone,
    now,
    ...(loaded.offered && { known: loaded.offered }),
  }
}
