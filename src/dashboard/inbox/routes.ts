import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'inbox',
  component: lazyRouteComponent(() => import('./Inbox.tsx'), 'Inbox'),
})

export const inboxRoutes = [listRoute] as const
