import { rowsOf } from '../live/rows-of.ts'
import type { LiveNoun } from '../live/watch-changes.ts'
import { viewLeads } from './view-leads.ts'

/** Leads, as members watch them. */
export const LIVE_LEAD: LiveNoun = {
  roles: ['owner', 'admin', 'agent'],
  async load(db, of) {
    const rows = await rowsOf(db, 'lead', of)
    return viewLeads(db, rows)
  },
}
