import type { LeadStatus } from '../vocabulary/leads.ts'
import type { None } from './none.ts'

/** Reasons why a lead is not created, or does not change its status. */
export type LeadFacts = {
  no_such_lead: None
  /** The lead was won or lost and must be reopened first. */
  lead_is_closed: { status: LeadStatus }
  /** Another lead of the customer is open or qualified. */
  customer_has_lead: { leadId: string }
  contact_or_conversation: None
}
