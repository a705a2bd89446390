import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'usage',
  component: lazyRouteComponent(() => import('./Usage.tsx'), 'Usage'),
})

export const accountRoutes = [listRoute] as const
