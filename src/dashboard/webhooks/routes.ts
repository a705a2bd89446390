import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./Endpoints.tsx'), 'Endpoints'),
})

export const webhooksRoutes = [listRoute] as const
