import type {
  ConnectionFigures,
  ConnectionUsers,
  ConnectionView,
  CreateConnection,
  EditConnection,
  TestConnection,
  TestedConnection,
} from '../connection.ts'
import type { List, Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface ConnectionRoutes {
  '/companies/:companyId/connections': {
    get: Route<Page<ConnectionView>, { query: typeof PageQuery }>
    post: Route<ConnectionView, { json: typeof CreateConnection }>
  }
  '/companies/:companyId/connection-users': { get: Route<List<ConnectionUsers>> }
  '/companies/:companyId/connection-figures': { get: Route<List<ConnectionFigures>> }
  '/companies/:companyId/connections/:connectionId': {
    get: Route<ConnectionView>
    patch: Route<ConnectionView, { json: typeof EditConnection }>
    delete: Route<null>
  }
  '/companies/:companyId/connections/:connectionId/switch-on': { post: Route<ConnectionView> }
  '/companies/:companyId/connections/:connectionId/switch-off': { post: Route<ConnectionView> }
  '/companies/:companyId/connections/:connectionId/test': {
    post: Route<TestedConnection, { json: typeof TestConnection }>
  }
}
