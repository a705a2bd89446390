import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'runs',
  component: lazyRouteComponent(() => import('./Runs.tsx'), 'Runs'),
})

export const runsRoutes = [listRoute] as const
