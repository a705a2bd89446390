import type { CallQuery, CallView } from '../call.ts'
import type { Page } from '../page.ts'
import type { Route } from './route.ts'

export interface CallLogRoutes {
  '/companies/:companyId/calls': { get: Route<Page<CallView>, { query: typeof CallQuery }> }
}
