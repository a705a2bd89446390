import type { Bytes, Route } from './route.ts'

export interface LiveRoutes {
  '/companies/:companyId/live': {
    get: Route<Bytes>
  }
}
