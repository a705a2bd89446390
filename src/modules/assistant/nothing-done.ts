/**
 * The line below a reply that says that nothing was changed, when the customer asked for a change and none was made.
 * It contradicts an undetected false claim of the model.
 *
 * Spec: Assistant › Texts that are never sent.
 */
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { readAgreement } from '../../rules/assistant/agreement-reading.ts'
import { replyWords } from '../../rules/assistant/reply-words.ts'
import { saysNotDone } from '../../rules/assistant/statements/at-risk.ts'
import type { RequestKind } from '../../core/vocabulary/statements/requests.ts'
import { languageOf } from './language.ts'
import type { LoadedReply, ConversationMessage } from './reply.ts'

/** Returns the texts of the customer's last messages, after their last refusal; they may contain requests. */
export function textsWithRequests({ talk }: Pick<LoadedReply, 'talk'>): string[] {
  const messages = talk
    .filter(({ direction, isOfRun }) => direction === 'in' && !isOfRun)
    .slice(-LIMITS.questionMessages)
  const refused = messages.findLastIndex(isRefusal)
  return messages.slice(refused + 1).map(({ text, transcript }) => [transcript, text].join(' '))
}

const isRefusal = (message: ConversationMessage): boolean =>
  readAgreement([message], { id: '', kind: 'other', stated: '' }) === 'refuses'

/**
 * Returns the sentence for the customer that nothing was done yet, or null when it is not needed. It is not
 * needed when nothing is at risk, the text says so already, or it was said recently. The same applies when the
 * assistant, a person or a flow may have changed something lately.
 */
export function nothingDoneLine(
  loaded: LoadedReply,
  text: string,
  atRisk: readonly RequestKind[],
  now: Date,
): string | null {
  if (atRisk.length === 0 || loaded.isForStaff || saysNotDone(text, atRisk)) return null
  const ageOf = (at: Date) => now.getTime() - at.getTime()
  const isDoneLately = loaded.doneBefore.some(
    ({ hasEffect, at }) => hasEffect && ageOf(at) < LIMITS.dayMs,
  )
  const sent = loaded.talk.filter(({ direction }) => direction === 'out')
  const isOfOthers = sent.some(
    ({ sender, createdAt }) => sender !== 'assistant' && ageOf(createdAt) < LIMITS.dayMs,
  )
  const isSaid = sent.some(
    (message) =>
      ageOf(message.createdAt) < LIMITS.nothingDoneMs &&
      Object.values(replyWords).some(({ nothing_done: line }) => message.text?.includes(line)),
  )
  return isDoneLately || isOfOthers || isSaid ? null : replyWords[languageOf(loaded)].nothing_done
}
