import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'templates',
  component: lazyRouteComponent(() => import('./Templates.tsx'), 'Templates'),
})

export const templatesRoutes = [listRoute] as const
