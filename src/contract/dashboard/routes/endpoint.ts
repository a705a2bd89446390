import type {
  CreateEndpoint,
  EditEndpoint,
  EndpointHealthView,
  EndpointView,
  HealthQuery,
  ListedEndpoint,
  NewEndpoint,
  SwitchedEndpoint,
} from '../endpoint.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface EndpointRoutes {
  '/companies/:companyId/endpoints': {
    get: Route<Page<ListedEndpoint>, { query: typeof PageQuery }>
    post: Route<NewEndpoint, { json: typeof CreateEndpoint }>
  }
  '/companies/:companyId/endpoints/:endpointId': {
    get: Route<EndpointView>
    patch: Route<EndpointView, { json: typeof EditEndpoint }>
    delete: Route<null>
  }
  '/companies/:companyId/endpoints/:endpointId/switch-on': { post: Route<SwitchedEndpoint> }
  '/companies/:companyId/endpoints/:endpointId/switch-off': { post: Route<EndpointView> }
  '/companies/:companyId/endpoints/:endpointId/health': {
    get: Route<EndpointHealthView, { query: typeof HealthQuery }>
  }
  '/companies/:companyId/endpoints/:endpointId/secret/rotate': { post: Route<NewEndpoint> }
  '/companies/:companyId/endpoints/:endpointId/secret/retire-old': { post: Route<EndpointView> }
}
