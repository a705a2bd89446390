import { readOpeningHours } from '../accounts/company-hours.ts'
import { fact } from '../../core/facts/fact.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'
import { sendFacts } from '../messaging/may-send.ts'
import { newMessageId, type ClaimedMessage } from '../messaging/queue-message.ts'
import { isOpenAt } from '../../rules/flows/opening-hours.ts'
import { whyNotSent } from '../../rules/messaging/may-send.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import type { HandOverDecision } from './decision.ts'
import { readHandoverTexts } from './handover-texts.ts'
import { saidByTools } from './reply.ts'
import { languageOf } from './language.ts'
import { outcomeOf } from './outcome.ts'
import { queuePart } from './queue-part.ts'
import { settleReply } from './record-reply-outcome.sql.ts'
import { qualifyLead } from './tools/record-lead.ts'
import type { ReplyContext } from './reply-context.ts'

/**
 * Hands a conversation over: the one sentence to the customer, the handover, its event and the end of the
 * reply are one. Nothing is said where nothing may be sent.
 *
 * Spec: Assistant › Handover.
 */
export async function handOverReply(
  turning: ReplyContext,
  { reason, reasonText, detail, qualifies, says }: HandOverDecision,
): Promise<readonly ClaimedMessage[]> {
  const { tx, deps, hand, now } = turning
  const { reply } = hand
  const text = textOf(turning, says)
  const queued =
    text === null || !maySay(turning, text)
      ? []
      : await queuePart(turning, {
          id: newMessageId(deps.ids),
          // After all parts that it may have said.
          part: LAST_PART,
          text,
          buttons: [],
        })
  const words =
    reasonText === null ? '' : cutCodePoints(cleanText(reasonText), LIMITS.reasonTextChars)
  // Events of leads come before those of conversations.
  if (qualifies) {
    const { company, conversation } = hand
    const { contactId, id: conversationId } = conversation
    await qualifyLead(tx, { ids: deps.ids, now }, { company, contactId, conversationId })
  }
  await transitionConversations(tx, { ids: deps.ids, now }, [
    {
      companyId: reply.companyId,
      conversationId: reply.conversationId,
      by: { kind: 'assistant', replyId: reply.id },
      change: { kind: 'hand_over', reason, reasonText: words === '' ? null : words, detail },
    },
  ])
  await settleReply(turning, 'handed_over', fact('reply_handed_over'), detail)
  return queued
}

const LAST_PART = 99

function textOf(turning: ReplyContext, says: HandOverDecision['says']): string | null {
  const { deps, hand, now } = turning
  switch (says.kind) {
    case 'text':
      // What tools have said is in it.
      return says.text
    case 'nothing':
      return null
    case 'media':
      return deps.sentence('unsupported_media', languageOf(hand))
    case 'fixed': {
      const language = languageOf(hand)
      const hours = readOpeningHours(hand.company.openingHours)
      const isOpen = hours === null || isOpenAt(hours, hand.company.timeZone, now)
      const own = readHandoverTexts(hand.settings?.texts ?? null)
      const ofCompany = own[language][isOpen ? 'inHours' : 'outOfHours']?.trim()
      const sentence =
        ofCompany || deps.sentence(isOpen ? 'handed_over' : 'handed_over_closed', language)
      const outcome = outcomeOf(hand)?.sentence ?? []
      return [outcome, saidByTools(hand), sentence].flat().join('\n\n')
    }
  }
}

function maySay({ hand, now }: ReplyContext, text: string): boolean {
  const { channel, company, contact, conversation } = hand
  const facts = sendFacts({
    channel,
    plan: company.plan,
    optedOutAt: contact?.optedOutAt ?? null,
    lastCustomerAt: conversation.lastCustomerAt,
  })
  return whyNotSent(facts, 'assistant', { kind: 'text', text }, now) === null
}
