import type { PhoneCountry, PhoneReading, ReadPhone } from '../phone.ts'
import type { Route } from './route.ts'

export interface PhoneRoutes {
  '/companies/:companyId/phone-country': { get: Route<PhoneCountry> }
  '/companies/:companyId/phone-readings': { post: Route<PhoneReading, { json: typeof ReadPhone }> }
}
