/** Decisions of code about pending messages, before a model is called. */
import { fact } from '../../core/facts/fact.ts'
import { findLoop } from '../../rules/assistant/loop-protection.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import { handOverDecision, type Decision } from './decision.ts'
import { shownPhotos } from './check-media.ts'
import type { LoadedReply, ConversationMessage } from './reply.ts'
import { asksForPerson } from '../../rules/assistant/person-request.ts'

/**
 * Returns what code decides about the pending messages: a handover, or the end of the reply. Null when a model is to be
 * called.
 *
 * Spec: Assistant › Handover; Assistant › Media.
 */
export function precheckMessages(loaded: LoadedReply): Decision | null {
  const burst = pendingMessagesOf(loaded)
  if (hasLoop(loaded, burst)) {
    return handOverDecision('message_burst', null, { kind: 'nothing' })
  }
  if (burst.some(isWishForPerson)) {
    return handOverDecision('customer_asked_for_person', null, { kind: 'fixed' })
  }
  const photos = shownPhotos(loaded)
  if (burst.some((message) => isReadable(message) || photos.has(message.id))) return null
  if (burst.every(({ type }) => type === 'sticker' || type === 'deleted')) {
    return { kind: 'end', state: 'cancelled', why: fact('reply_nothing_to_answer') }
  }
  return handOverDecision('unsupported_media', null, { kind: 'media' })
}

/** Returns whether the customer asks for a person, in a text or a transcribed voice note. */
function isWishForPerson({ text, transcript, type }: ConversationMessage): boolean {
  const words = type === 'audio' ? transcript : type === 'text' ? text : null
  return words !== null && asksForPerson(words)
}

/** Returns whether one of the pending messages `burst` trips loop protection. Spec: Assistant › Loop protection. */
export function hasLoop(
  { exchanged }: LoadedReply,
  burst: readonly ConversationMessage[],
): boolean {
  const ids = new Set(burst.map(({ id }) => id))
  return exchanged.some(
    ({ id }, index) => ids.has(id) && findLoop(exchanged.slice(0, index + 1)) !== null,
  )
}

/** Returns whether a message has words: its own, a caption, a place or a transcript. */
function isReadable({ text, transcript, type }: ConversationMessage): boolean {
  if (transcript !== null) return true
  if (text === null || text.trim() === '') return false
  return type !== 'sticker' && type !== 'unknown'
}
