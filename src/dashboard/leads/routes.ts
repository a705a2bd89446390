import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'leads',
  component: lazyRouteComponent(() => import('./Leads.tsx'), 'Leads'),
})

export const leadsRoutes = [listRoute] as const
