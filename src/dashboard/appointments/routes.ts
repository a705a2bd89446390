import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'appointments',
  component: lazyRouteComponent(() => import('./Appointments.tsx'), 'Appointments'),
})

export const appointmentsRoutes = [listRoute] as const
