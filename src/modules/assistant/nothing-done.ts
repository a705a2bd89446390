/**
 * The line below a reply that says that nothing was changed, where the customer has asked for a change and none was
 * made: a claim that nobody has read is then contradicted by the shop itself.
 *
 * Spec: Assistant › What is never sent.
 */
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { readAgreement } from '../../rules/assistant/agreement-reading.ts'
import { saysNotDone } from '../../rules/assistant/statements/at-risk.ts'
import type { RequestKind } from '../../core/vocabulary/statements/requests.ts'
import { languageOf } from './language.ts'
import type { LoadedReply, TalkMessage } from './reply.ts'

const LINES = {
  en: 'Nothing has been changed or booked so far.',
  ar: 'لم يتغيّر ولم يُحجز شيء حتى الآن.',
} as const

/** Returns what the customer asks for in their last messages. What they asked for before they refused is over. */
export function askedOf({ talk }: Pick<LoadedReply, 'talk'>): string[] {
  const messages = talk
    .filter(({ direction, isOfRun }) => direction === 'in' && !isOfRun)
    .slice(-LIMITS.askedMessages)
  const refused = messages.findLastIndex(isRefusal)
  return messages.slice(refused + 1).map(({ text, transcript }) => [transcript, text].join(' '))
}

const isRefusal = (message: TalkMessage): boolean =>
  readAgreement([message], { id: '', kind: 'other', stated: '' }) === 'refuses'

/**
 * Returns the line, or null where it is not said: nothing is at risk, the text says so itself, it was said a short while
 * ago, or something may have been done lately, by the assistant or by a person or a flow.
 */
export function nothingDoneLine(
  hand: LoadedReply,
  text: string,
  atRisk: readonly RequestKind[],
  now: Date,
): string | null {
  if (atRisk.length === 0 || hand.isForStaff || saysNotDone(text, atRisk)) return null
  const ageOf = (at: Date) => now.getTime() - at.getTime()
  const isDoneLately = hand.doneBefore.some(
    ({ hasEffect, at }) => hasEffect && ageOf(at) < LIMITS.dayMs,
  )
  const sent = hand.talk.filter(({ direction }) => direction === 'out')
  const isOfOthers = sent.some(
    ({ sender, createdAt }) => sender !== 'assistant' && ageOf(createdAt) < LIMITS.dayMs,
  )
  const isSaid = sent.some(
    (message) =>
      ageOf(message.createdAt) < LIMITS.nothingDoneMs &&
      Object.values(LINES).some((line) => message.text?.includes(line)),
  )
  return isDoneLately || isOfOthers || isSaid ? null : LINES[languageOf(hand)]
}
