import { HOUR_MS } from '../../core/limits/units.ts'

/** The handler of a conversation, as its row holds it. */
export type Handling = { handledBy: string; takenOverUntil: Date | null }

/**
 * Returns whether staff handles a conversation now, so that flows and the assistant stay out of it. The owner's reply
 * from the provider's app takes over for a limited time. A take-over or an open handover to a member lasts until the
 * member returns it. Spec: reading F17.
 */
export function isStaffHandling({ handledBy, takenOverUntil }: Handling, now: Date): boolean {
  return handledBy === 'staff' && (takenOverUntil === null || now < takenOverUntil)
}

/**
 * Returns the handling after the owner replied at a time. A reply only prolongs a take-over, and a member's take-over
 * stays unlimited.
 */
export function afterOwnersReply(
  before: Handling,
  repliedAt: Date,
  takeOverHours: number,
): Handling {
  if (before.handledBy === 'staff' && before.takenOverUntil === null) {
    return { handledBy: 'staff', takenOverUntil: null }
  }
  const until = new Date(repliedAt.getTime() + takeOverHours * HOUR_MS)
  const isLater = before.takenOverUntil === null || until > before.takenOverUntil
  return { handledBy: 'staff', takenOverUntil: isLater ? until : before.takenOverUntil }
}
