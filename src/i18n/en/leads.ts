import type { LeadFacts } from '../../core/facts/leads.ts'
import type { Catalog } from '../catalog.ts'

export const EN_LEADS: Catalog<LeadFacts> = {
  no_such_lead: () => 'No lead with this ID.',
  lead_is_closed: ({ status }) =>
    status === 'won'
      ? 'The lead is already marked as won. Reopen it first.'
      : 'The lead is already marked as lost. Reopen it first.',
  customer_has_lead: () =>
    'The customer already has an open or qualified lead, and can have only one. Use that one, or mark it as won or lost first.',
  contact_or_conversation: () =>
    'is required unless you send conversationId. Send exactly one of them',
}
