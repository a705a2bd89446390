/** Leads of a company. */
import { read, type Recorded } from './records.ts'

type Of = { companyId?: string; contactId?: string; conversationId?: string }

/** Returns the leads of a company, contact or conversation, oldest first. */
export const leadsOf = (world: Recorded, { companyId, contactId, conversationId }: Of) =>
  read(world, 'lead', { companyId, contactId, conversationId }, 'createdAt', 'id')
