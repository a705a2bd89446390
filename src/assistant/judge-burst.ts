/** What code decides of the messages that a reply has gathered, before any model is asked. */
import { fact } from '../facts/fact.ts'
import type { Decision } from './advance-reply.ts'
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
  if (burst.some(({ text, type }) => type === 'text' && text !== null && asksForPerson(text))) {
    return {
      kind: 'hand_over',
      reason: 'customer_asked_for_person',
      reasonText: null,
      detail: null,
      says: { kind: 'fixed' },
    }
  }
  if (burst.some(isReadable)) return null
  if (burst.every(({ type }) => type === 'sticker')) {
    return { kind: 'end', state: 'cancelled', why: fact('reply_nothing_to_answer') }
  }
  return {
    kind: 'hand_over',
    reason: 'unsupported_media',
    reasonText: null,
    detail: null,
    says: { kind: 'media' },
  }
}

/** It has words: its own, a caption, a place, or what a voice note was heard to say. */
export function isReadable({ text, transcript, type }: TalkMessage): boolean {
  if (transcript !== null) return true
  if (text === null || text.trim() === '') return false
  return type !== 'sticker' && type !== 'unknown'
}
