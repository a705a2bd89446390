import type {
  BookingPageView,
  CreateOpeningChange,
  CreateResource,
  CreateService,
  EditBookingPage,
  EditOpeningChange,
  EditResource,
  EditService,
  OpeningChangeView,
  OutsideView,
  ResourceView,
  ServiceView,
  ShiftedView,
  SlotQuery,
  SlotsView,
} from '../booking-setup.ts'
import type { List } from '../page.ts'
import type { Route } from './route.ts'

export interface BookingSetupRoutes {
  '/companies/:companyId/services': {
    get: Route<List<ServiceView>>
    post: Route<ServiceView, { json: typeof CreateService }>
  }
  '/companies/:companyId/services/:serviceId': {
    get: Route<ServiceView>
    patch: Route<ServiceView, { json: typeof EditService }>
    delete: Route<null>
  }
  '/companies/:companyId/resources': {
    get: Route<List<ResourceView>>
    post: Route<ResourceView, { json: typeof CreateResource }>
  }
  '/companies/:companyId/resources/:resourceId': {
    patch: Route<ResourceView, { json: typeof EditResource }>
    delete: Route<null>
  }
  '/companies/:companyId/opening-changes': {
    get: Route<List<OpeningChangeView>>
    post: Route<OpeningChangeView, { json: typeof CreateOpeningChange }>
  }
  '/companies/:companyId/opening-changes/:changeId': {
    patch: Route<OpeningChangeView, { json: typeof EditOpeningChange }>
    delete: Route<null>
  }
  '/companies/:companyId/booking-page': {
    get: Route<BookingPageView>
    patch: Route<BookingPageView, { json: typeof EditBookingPage }>
  }
  '/companies/:companyId/slots': { get: Route<SlotsView, { query: typeof SlotQuery }> }
  '/companies/:companyId/appointments/outside-hours': { get: Route<List<OutsideView>> }
  '/companies/:companyId/appointments/shifted': { get: Route<List<ShiftedView>> }
}
