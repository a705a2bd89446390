import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'connections',
  component: lazyRouteComponent(() => import('./Connections.tsx'), 'Connections'),
})

export const connectionsRoutes = [listRoute] as const
