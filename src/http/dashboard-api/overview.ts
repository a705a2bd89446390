/** Routes that combine several entities: the first page, the usage of the plan, and the search over a company. */
import type { OverviewRoutes } from '../../contract/dashboard/routes/overview.ts'
import { SearchQuery } from '../../contract/dashboard/search.ts'
import { searchCompany } from '../../modules/overview/search-company.ts'
import { showHome } from '../../modules/overview/show-home.ts'
import { showUsage } from '../../modules/overview/show-usage.ts'
import { admins, members } from './access.ts'
import { answerAs } from './answer.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

export const overviewRoutes = routes<OverviewRoutes>()
  .get('/companies/:companyId/home', members(), answerAs(showHome))
  .get('/companies/:companyId/usage', admins(), answerAs(showUsage))
  .get('/companies/:companyId/search', members(), query(SearchQuery), answerAs(searchCompany))
