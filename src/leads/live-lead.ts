import type { LiveNoun } from '../live/watch-changes.ts'
import { viewLeads } from './view-leads.ts'

/** Leads, as members watch them. */
export const LIVE_LEAD: LiveNoun = {
  roles: ['owner', 'admin', 'agent'],
  async load(db, { companyId, ids }) {
    const rows = await db
      .selectFrom('lead')
      .selectAll()
      .where('companyId', '=', companyId)
      .where('id', 'in', ids)
      .execute()
    return viewLeads(db, rows)
  },
}
