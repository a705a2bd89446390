/** What code decides of the messages that a reply has gathered, before any model is asked. */
import { fact } from '../../core/facts/fact.ts'
import { tripsLoopProtection } from '../../rules/assistant/loop-protection.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import { handOver, type Decision } from './decision.ts'
import { shownPhotos } from './check-media.ts'
import type { LoadedReply, TalkMessage } from './reply.ts'
import { asksForPerson } from '../../rules/assistant/person-request.ts'

/** Null: a model is asked. Spec: Assistant › Handover; Assistant › Media. */
export function precheckMessages(hand: LoadedReply): Decision | null {
  const burst = pendingMessagesOf(hand)
  if (runsInCircles(hand, burst)) {
    return handOver('message_burst', null, { kind: 'nothing' })
  }
  if (burst.some(isWishForPerson)) {
    return handOver('customer_asked_for_person', null, { kind: 'fixed' })
  }
  const photos = shownPhotos(hand)
  if (burst.some((message) => isReadable(message) || photos.has(message.id))) return null
  if (burst.every(({ type }) => type === 'sticker' || type === 'deleted')) {
    return { kind: 'end', state: 'cancelled', why: fact('reply_nothing_to_answer') }
  }
  return handOver('unsupported_media', null, { kind: 'media' })
}

/** In writing, or in a voice note that was heard. */
function isWishForPerson({ text, transcript, type }: TalkMessage): boolean {
  const words = type === 'audio' ? transcript : type === 'text' ? text : null
  return words !== null && asksForPerson(words)
}

/** At any of the messages that were gathered. Spec: Assistant › Loop protection. */
export function runsInCircles({ exchanged }: LoadedReply, burst: readonly TalkMessage[]): boolean {
  const ids = new Set(burst.map(({ id }) => id))
  return exchanged.some(
    ({ id }, place) => ids.has(id) && tripsLoopProtection(exchanged.slice(0, place + 1)) !== null,
  )
}

/** It has words: its own, a caption, a place, or what a voice note was heard to say. */
function isReadable({ text, transcript, type }: TalkMessage): boolean {
  if (transcript !== null) return true
  if (text === null || text.trim() === '') return false
  return type !== 'sticker' && type !== 'unknown'
}
