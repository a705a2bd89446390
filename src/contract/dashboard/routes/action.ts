import type { ActionView, CreateAction, EditAction, TestAction, TestedAction } from '../action.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface ActionRoutes {
  '/companies/:companyId/actions': {
    get: Route<Page<ActionView>, { query: typeof PageQuery }>
    post: Route<ActionView, { json: typeof CreateAction }>
  }
  '/companies/:companyId/actions/:actionId': {
    get: Route<ActionView>
    patch: Route<ActionView, { json: typeof EditAction }>
    delete: Route<null>
  }
  '/companies/:companyId/actions/:actionId/test': {
    post: Route<TestedAction, { json: typeof TestAction }>
  }
}
