import { readOpeningHours } from '../accounts/company-hours.ts'
import { fact } from '../../core/facts/fact.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'
import { sendInputs } from '../messaging/may-send.ts'
import { newMessageId, type ClaimedMessage } from '../messaging/queue-message.ts'
import { isOpenAt } from '../../rules/flows/opening-hours.ts'
import { whyNotSent } from '../../rules/messaging/may-send.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import type { HandOverDecision } from './decision.ts'
import { readHandoverTexts } from './handover-texts.ts'
import { toolSentencesOf } from './reply.ts'
import { languageOf } from './language.ts'
import { proposalOutcomeOf } from './proposal-outcome.ts'
import { queuePart } from './queue-part.ts'
import { endReply } from './record-reply-outcome.sql.ts'
import { qualifyLeadAtHandover } from './tools/record-lead.ts'
import type { ReplyContext } from './reply-context.ts'

/**
 * Hands a conversation over: the sentence to the customer, the handover, its event and the end of the reply share a
 * transaction. Sends no sentence where none may be sent.
 *
 * Spec: Assistant › Handover.
 */
export async function handOverReply(
  context: ReplyContext,
  { reason, reasonText, detail, qualifies, says }: HandOverDecision,
): Promise<readonly ClaimedMessage[]> {
  const { tx, deps, loaded, now } = context
  const { reply } = loaded
  const text = textOf(context, says)
  const queued =
    text === null || !maySay(context, text)
      ? []
      : await queuePart(context, {
          id: newMessageId(deps.ids),
          // Higher than any part that the reply may have sent.
          part: LAST_PART,
          text,
          buttons: [],
        })
  const words =
    reasonText === null ? '' : cutCodePoints(cleanText(reasonText), LIMITS.reasonTextChars)
  // Events of leads precede those of conversations.
  if (qualifies) {
    const { company, conversation } = loaded
    const { contactId, id: conversationId } = conversation
    await qualifyLeadAtHandover(tx, { ids: deps.ids, now }, { company, contactId, conversationId })
  }
  await transitionConversations(tx, { ids: deps.ids, now }, [
    {
      companyId: reply.companyId,
      conversationId: reply.conversationId,
      by: { kind: 'assistant', replyId: reply.id },
      change: { kind: 'hand_over', reason, reasonText: words === '' ? null : words, detail },
    },
  ])
  await endReply(context, 'handed_over', fact('reply_handed_over'), detail)
  return queued
}

const LAST_PART = 99

function textOf(context: ReplyContext, says: HandOverDecision['says']): string | null {
  const { deps, loaded, now } = context
  switch (says.kind) {
    case 'text':
      // The text includes what tools have said.
      return says.text
    case 'nothing':
      return null
    case 'media':
      return deps.sentence('unsupported_media', languageOf(loaded))
    case 'fixed': {
      const language = languageOf(loaded)
      const hours = readOpeningHours(loaded.company.openingHours)
      const isOpen = hours === null || isOpenAt(hours, loaded.company.timeZone, now)
      const own = readHandoverTexts(loaded.settings?.texts ?? null)
      const ofCompany = own[language][isOpen ? 'inHours' : 'outOfHours']?.trim()
      const sentence =
        ofCompany || deps.sentence(isOpen ? 'handed_over' : 'handed_over_closed', language)
      const outcome = proposalOutcomeOf(loaded)?.sentence ?? []
      return [outcome, toolSentencesOf(loaded), sentence].flat().join('\n\n')
    }
  }
}

function maySay({ loaded, now }: ReplyContext, text: string): boolean {
  const { channel, company, contact, conversation } = loaded
  const facts = sendInputs({
    channel,
    plan: company.plan,
    optedOutAt: contact?.optedOutAt ?? null,
    lastCustomerAt: conversation.lastCustomerAt,
  })
  return whyNotSent(facts, 'assistant', { kind: 'text', text }, now) === null
}
