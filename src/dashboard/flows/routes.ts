import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'flows',
  component: lazyRouteComponent(() => import('./Flows.tsx'), 'Flows'),
})

export const flowsRoutes = [listRoute] as const
