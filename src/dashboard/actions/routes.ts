import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'actions',
  component: lazyRouteComponent(() => import('./Actions.tsx'), 'Actions'),
})

const newRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'actions/new',
  component: lazyRouteComponent(() => import('./NewAction.tsx'), 'NewAction'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'actions/$action',
  component: lazyRouteComponent(() => import('./Action.tsx'), 'Action'),
})

export const actionsRoutes = [listRoute, newRoute, oneRoute] as const
