import { page } from '../frame/routes.tsx'
import { readLeadSearch } from './search.ts'

export const leadsRoutes = [
  page('leads', () => import('./Leads.tsx'), 'Leads', readLeadSearch),
] as const
