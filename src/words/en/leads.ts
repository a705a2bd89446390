import type { LeadFacts } from '../../facts/leads.ts'
import type { Sentences } from '../sentences.ts'

export const EN_LEADS: Sentences<LeadFacts> = {
  no_such_lead: () => 'There is no such lead.',
  lead_is_closed: ({ status }) =>
    status === 'won'
      ? 'The lead is won already. Reopen it first.'
      : 'The lead is lost already. Reopen it first.',
  customer_has_lead: () =>
    'The customer has another lead that is open or qualified, and can have only one. Go on with that one, or win or lose it first.',
  contact_or_conversation: () => 'is needed, or conversationId: one of the two, and not both',
}
