import type { LeadStatus } from '../../core/vocabulary/leads.ts'

export type LeadMove = 'qualify' | 'win' | 'lose' | 'reopen'

const TO: Record<LeadMove, LeadStatus> = {
  qualify: 'qualified',
  win: 'won',
  lose: 'lost',
  reopen: 'open',
}

/**
 * What a move makes of a lead; the same status where it is so already. What was won or lost can only be
 * reopened, and reopening leaves the others as they are.
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
