import type { Route } from './route.ts'

/** The facts that a browser needs before the sign-in. */
export type DashboardView = {
  /** The version of the served dashboard, as in the page's `wasla-version`; null if no dashboard is built. */
  version: string | null
  /** No person can sign in yet. The token that the service printed at its start creates the first Owner. */
  needsSetUp: boolean
  /** The link that the start printed leads into a demonstration. */
  isDemonstration: boolean
  /** The URL of the simulated customers; null without a simulator. */
  phonesUrl: string | null
}

export interface DashboardStateRoutes {
  '/dashboard': { get: Route<DashboardView> }
}
