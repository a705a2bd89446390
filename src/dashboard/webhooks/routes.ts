import { page } from '../frame/routes.tsx'
import { readDeliverySearch } from './delivery-search.ts'
import { readEndpointSearch } from './endpoint-search.ts'
import { readLogSearch } from './log-search-params.ts'

const logs = () => import('./DeliveryLogPages.tsx')

export const webhooksRoutes = [
  page('webhooks', () => import('./Endpoints.tsx'), 'Endpoints'),
  page('webhooks/new', () => import('./NewEndpoint.tsx'), 'NewEndpoint'),
  page('webhooks/$endpoint', () => import('./Endpoint.tsx'), 'Endpoint', readEndpointSearch),
  page('webhooks/$endpoint/deliveries', logs, 'EndpointDeliveries', readLogSearch),
  page('webhooks/deliveries', logs, 'AllDeliveries', readLogSearch),
  page(
    'webhooks/deliveries/$delivery',
    () => import('./Delivery.tsx'),
    'Delivery',
    readDeliverySearch,
  ),
  page('webhooks/jobs', () => import('./Jobs.tsx'), 'Jobs'),
  page('webhooks/jobs/$job', () => import('./Job.tsx'), 'Job'),
] as const
