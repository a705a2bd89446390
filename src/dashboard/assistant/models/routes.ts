import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/models',
  component: lazyRouteComponent(() => import('./Models.tsx'), 'Models'),
})

const newRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/models/new',
  component: lazyRouteComponent(() => import('./NewModel.tsx'), 'NewModel'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/models/$model',
  component: lazyRouteComponent(() => import('./Model.tsx'), 'Model'),
})

export const modelsRoutes = [listRoute, newRoute, oneRoute] as const
