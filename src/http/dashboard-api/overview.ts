/** Routes that combine several entities: the first page, the usage of the plan, and the search over a company. */
import type { OverviewRoutes } from '../../contract/dashboard/routes/overview.ts'
import { SearchQuery } from '../../contract/dashboard/search.ts'
import { searchCompany } from '../../modules/overview/search-company.ts'
import { showHome } from '../../modules/overview/show-home.ts'
import { showUsage } from '../../modules/overview/show-usage.ts'
import { inCompany } from './access.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

export const overviewRoutes = routes<OverviewRoutes>()
  .get('/companies/:companyId/home', inCompany('owner', 'admin', 'agent'), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await showHome(context, actor, { companyId }))
  })
  .get('/companies/:companyId/usage', inCompany('owner', 'admin'), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await showUsage(context, actor, { companyId }))
  })
  .get(
    '/companies/:companyId/search',
    inCompany('owner', 'admin', 'agent'),
    query(SearchQuery),
    async (c) => {
      const { context, actor, companyId } = c.var
      return c.json(await searchCompany(context, actor, { companyId, ...c.req.valid('query') }))
    },
  )
