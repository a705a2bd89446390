import { rowsOf } from '../live-updates/rows-of.ts'
import type { LiveEntity } from '../live-updates/change-stream.ts'
import { viewLeads } from './view-leads.ts'

/** Leads in the stream of live changes. */
export const LIVE_LEAD: LiveEntity = {
  roles: ['owner', 'admin', 'agent'],
  async load(db, of) {
    const rows = await rowsOf(db, 'lead', of)
    return viewLeads(db, rows)
  },
}
