import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'broadcasts',
  component: lazyRouteComponent(() => import('./Broadcasts.tsx'), 'Broadcasts'),
})

export const broadcastsRoutes = [listRoute] as const
