import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts',
  component: lazyRouteComponent(() => import('./Contacts.tsx'), 'Contacts'),
})

export const contactsRoutes = [listRoute] as const
