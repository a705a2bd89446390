import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'
import { readDeliverySearch } from './delivery-search.ts'
import { readEndpointSearch } from './endpoint-search.ts'
import { readLogSearch } from './log-search-params.ts'

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./Endpoints.tsx'), 'Endpoints'),
})

const newRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/new',
  component: lazyRouteComponent(() => import('./NewEndpoint.tsx'), 'NewEndpoint'),
})

const endpointRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/$endpoint',
  validateSearch: readEndpointSearch,
  component: lazyRouteComponent(() => import('./Endpoint.tsx'), 'Endpoint'),
})

const endpointLogRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/$endpoint/deliveries',
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import('./DeliveryLogPages.tsx'), 'EndpointDeliveries'),
})

const logRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/deliveries',
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import('./DeliveryLogPages.tsx'), 'AllDeliveries'),
})

const deliveryRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/deliveries/$delivery',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('./Delivery.tsx'), 'Delivery'),
})

const jobsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/jobs',
  component: lazyRouteComponent(() => import('./Jobs.tsx'), 'Jobs'),
})

const jobRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'webhooks/jobs/$job',
  component: lazyRouteComponent(() => import('./Job.tsx'), 'Job'),
})

export const webhooksRoutes = [
  listRoute,
  newRoute,
  endpointRoute,
  endpointLogRoute,
  logRoute,
  deliveryRoute,
  jobsRoute,
  jobRoute,
] as const
