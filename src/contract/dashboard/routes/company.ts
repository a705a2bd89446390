import type { CompanyView, CreateProject, EditCompany } from '../company.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface CompanyRoutes {
  '/companies': {
    get: Route<Page<CompanyView>, { query: typeof PageQuery }>
    post: Route<CompanyView, { json: typeof CreateProject }>
  }
  '/companies/:companyId': { patch: Route<CompanyView, { json: typeof EditCompany }> }
}
