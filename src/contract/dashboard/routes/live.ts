import type { LiveQuery } from '../live.ts'
import type { Bytes, Route } from './route.ts'

export interface LiveRoutes {
  '/companies/:companyId/live': { get: Route<Bytes, { query: typeof LiveQuery }> }
}
