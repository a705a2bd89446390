import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'developer-tools',
  component: lazyRouteComponent(() => import('./DeveloperTools.tsx'), 'DeveloperTools'),
})

export const developerToolsRoutes = [listRoute] as const
