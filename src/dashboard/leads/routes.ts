import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { LEAD_STATUSES, LEAD_TEMPERATURES } from '../../vocabulary/leads.ts'
import type { LeadStatus, LeadTemperature } from '../../vocabulary/leads.ts'
import { companyRoute } from '../app/routes.tsx'
import { oneIn, textIn } from '../app/search-params.ts'

const VIEWS = ['table'] as const
const SORTS = ['best'] as const

export type LeadSearch = {
  /** A board unless told. */
  view?: (typeof VIEWS)[number]
  q?: string
  /** Of the table. */
  status?: LeadStatus
  temperature?: LeadTemperature
  /** A person's id, or `none`. */
  owner?: string
  sort?: (typeof SORTS)[number]
  /** The one that is open. */
  lead?: string
}

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'leads',
  validateSearch: (raw: Record<string, unknown>): LeadSearch => {
    const view = oneIn(raw, 'view', VIEWS)
    const q = textIn(raw, 'q')
    const status = oneIn(raw, 'status', LEAD_STATUSES)
    const temperature = oneIn(raw, 'temperature', LEAD_TEMPERATURES)
    const owner = textIn(raw, 'owner')
    const sort = oneIn(raw, 'sort', SORTS)
    const lead = textIn(raw, 'lead')
    return {
      ...(view && { view }),
      ...(q && { q }),
      ...(status && { status }),
      ...(temperature && { temperature }),
      ...(owner && { owner }),
      ...(sort && { sort }),
      ...(lead && { lead }),
    }
  },
  component: lazyRouteComponent(() => import('./Leads.tsx'), 'Leads'),
})

export const leadsRoutes = [listRoute] as const
