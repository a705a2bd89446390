import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./Home.tsx'), 'Home'),
})

export const homeRoutes = [listRoute] as const
