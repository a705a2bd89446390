import type { LeadStatus } from '../../core/vocabulary/leads.ts'
import { type Api } from '../app/resources.ts'
import type { LeadSearch } from './search.ts'

/** Returns the query of the filtered leads, of one status or of any. */
export function leadsQuery(api: Api, search: LeadSearch, status: LeadStatus | undefined) {
  const { q, temperature, owner, sort } = search
  return api.list('leads', { q, temperature, ownerId: owner, sort, status })
}
