import type { LeadStatus } from '../../core/vocabulary/leads.ts'

/** The moves of a lead between statuses. */
export type LeadMove = 'qualify' | 'win' | 'lose' | 'reopen'

const TO: Record<LeadMove, LeadStatus> = {
  qualify: 'qualified',
  win: 'won',
  lose: 'lost',
  reopen: 'open',
}

/**
 * Returns the status of a lead after a move, which may be its current status, or why the move is refused. A won or lost lead can only be reopened;
 * reopening an open or qualified lead changes nothing.
 *
 * Spec: States › Lead.
 */
export function moveLead(
  status: LeadStatus,
  move: LeadMove,
): { ok: true; value: LeadStatus } | { ok: false; reason: 'lead_is_closed' } {
  const isClosed = status === 'won' || status === 'lost'
  if (move === 'reopen') return { ok: true, value: isClosed ? 'open' : status }
  if (!isClosed || TO[move] === status) return { ok: true, value: TO[move] }
  return { ok: false, reason: 'lead_is_closed' }
}
