/** Leads of a company. */
import { given, storeOf, type Recorded, type RecordOf } from './records.ts'

export type LeadRecord = RecordOf<'lead'>

/** Returns the leads of a company, contact or conversation, in the order in which they came. */
export const leadsOf = (
  world: Recorded,
  {
    companyId,
    contactId,
    conversationId,
  }: { companyId?: string; contactId?: string; conversationId?: string },
): Promise<LeadRecord[]> =>
  storeOf(world)
    .selectFrom('lead')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, contactId, conversationId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
