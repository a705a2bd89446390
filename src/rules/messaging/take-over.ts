import { HOUR_MS } from '../../core/limits/units.ts'

/** Who handles a conversation, as its row says it. */
export type Handling = { handledBy: string; takenOverUntil: Date | null }

/**
 * Decides whether staff handles a conversation now, so that flows and the assistant keep out of it. The
 * owner's reply from the provider's app takes over until a time only; a person who has taken over, or to
 * whom a handover is open, has it until they give it back. Spec: reading F17.
 */
export function isStaffHandling({ handledBy, takenOverUntil }: Handling, now: Date): boolean {
  return handledBy === 'staff' && (takenOverUntil === null || now < takenOverUntil)
}

/** The handling after the owner's reply of this time: a reply only ever prolongs, and a person's stays. */
export function afterOwnersReply(
  before: Handling,
  repliedAt: Date,
  takeOverHours: number,
): { handledBy: string; takenOverUntil: Date | null } {
  if (before.handledBy === 'staff' && before.takenOverUntil === null) return before
  const until = new Date(repliedAt.getTime() + takeOverHours * HOUR_MS)
  const isLater = before.takenOverUntil === null || until > before.takenOverUntil
  return { handledBy: 'staff', takenOverUntil: isLater ? until : before.takenOverUntil }
}
