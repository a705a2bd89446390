import type { Page } from '../page.ts'
import type { RunDetail, RunQuery, RunView, StartRun, StartedRun } from '../run.ts'
import type { Route } from './route.ts'

export interface RunRoutes {
  '/companies/:companyId/runs': { get: Route<Page<RunView>, { query: typeof RunQuery }> }
  '/companies/:companyId/runs/:runId': { get: Route<RunDetail> }
  '/companies/:companyId/runs/:runId/cancel': { post: Route<null> }
  '/companies/:companyId/flows/:flowId/test-runs': {
    post: Route<StartedRun, { json: typeof StartRun }>
  }
  '/companies/:companyId/flows/:flowId/runs': { post: Route<StartedRun, { json: typeof StartRun }> }
}
