import { LEAD_STATUSES, LEAD_TEMPERATURES } from '../../core/vocabulary/leads.ts'
import { searchReader } from '../app/search-params.ts'

/** The view and the filters of the leads, as the URL contains them. */
export type LeadSearch = ReturnType<typeof readLeadSearch>

export const readLeadSearch = searchReader({
  /** The board by default. */
  view: ['table'],
  q: 'text',
  /** A filter of the table only. */
  status: LEAD_STATUSES,
  temperature: LEAD_TEMPERATURES,
  /** The id of a member, or `none`. */
  owner: 'text',
  sort: ['best'],
  /** The open lead. */
  lead: 'text',
})
