import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
  DeliverySearch,
  DeliveryView,
  DeliveryViewCounts,
  ExportDeliveries,
  SendTest,
  ViewsQuery,
} from '../delivery.ts'
import type { BoundedCount } from '../endpoint.ts'
import type { Bytes, Route } from './route.ts'

export interface DeliveryRoutes {
  '/companies/:companyId/deliveries': { get: Route<DeliveryPage, { query: typeof DeliveryQuery }> }
  '/companies/:companyId/deliveries/count': {
    get: Route<BoundedCount, { query: typeof DeliverySearch }>
  }
  '/companies/:companyId/deliveries/views': {
    get: Route<DeliveryViewCounts, { query: typeof ViewsQuery }>
  }
  '/companies/:companyId/delivery-exports': {
    post: Route<Bytes, { json: typeof ExportDeliveries }>
  }
  '/companies/:companyId/deliveries/:deliveryId': { get: Route<DeliveryDetail> }
  '/companies/:companyId/deliveries/:deliveryId/resend': { post: Route<DeliveryView> }
  '/companies/:companyId/endpoints/:endpointId/tests': {
    post: Route<DeliveryDetail, { json: typeof SendTest }>
  }
}
