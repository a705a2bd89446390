import type { DashboardView } from '../dashboard.ts'
import type { Route } from './route.ts'

export interface DashboardStateRoutes {
  '/dashboard': { get: Route<DashboardView> }
}
