import type { HomeView } from '../home.ts'
import type { SearchQuery, SearchView } from '../search.ts'
import type { UsageView } from '../usage.ts'
import type { Route } from '../route.ts'

export interface OverviewRoutes {
  '/companies/:companyId/home': { get: Route<HomeView> }
  '/companies/:companyId/usage': { get: Route<UsageView> }
  '/companies/:companyId/search': { get: Route<SearchView, { query: typeof SearchQuery }> }
}
