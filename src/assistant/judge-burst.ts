/** What code decides of the messages that a reply has gathered, before any model is asked. */
import { fact } from '../facts/fact.ts'
import { tripsLoopProtection } from '../rules/assistant/loop-protection.ts'
import { handOver, type Decision } from './decision.ts'
import type { HandOfReply, TalkMessage } from './reply.ts'
import { asksForPerson } from '../rules/assistant/person-request.ts'

/** The customer's messages that the reply is to answer, oldest first. */
export function burstOf({ reply, talk }: HandOfReply): TalkMessage[] {
  const first = talk.find(({ id }) => id === reply.firstMessageId)
  return talk.filter(
    ({ direction, isOfRun, createdAt }) =>
      direction === 'in' && !isOfRun && (!first || createdAt >= first.createdAt),
  )
}

/** Null: a model is asked. Spec: Assistant › Handover; Assistant › Media. */
export function judgeBurst(hand: HandOfReply): Decision | null {
  const burst = burstOf(hand)
  if (runsInCircles(hand, burst)) {
    return handOver('message_burst', null, { kind: 'nothing' })
  }
  if (burst.some(({ text, type }) => type === 'text' && text !== null && asksForPerson(text))) {
    return handOver('customer_asked_for_person', null, { kind: 'fixed' })
  }
  if (burst.some(isReadable)) return null
  if (burst.every(({ type }) => type === 'sticker')) {
    return { kind: 'end', state: 'cancelled', why: fact('reply_nothing_to_answer') }
  }
  return handOver('unsupported_media', null, { kind: 'media' })
}

/** At any of the messages that were gathered. Spec: Assistant › Loop protection. */
function runsInCircles({ exchanged }: HandOfReply, burst: readonly TalkMessage[]): boolean {
  const ids = new Set(burst.map(({ id }) => id))
  return exchanged.some(
    ({ id }, place) => ids.has(id) && tripsLoopProtection(exchanged.slice(0, place + 1)) !== null,
  )
}

/** It has words: its own, a caption, a place, or what a voice note was heard to say. */
export function isReadable({ text, transcript, type }: TalkMessage): boolean {
  if (transcript !== null) return true
  if (text === null || text.trim() === '') return false
  return type !== 'sticker' && type !== 'unknown'
}
