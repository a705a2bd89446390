import { RunQuery } from '../../contract/dashboard/run.ts'
import { listRuns } from '../../flows/list-runs.ts'
import { showRun } from '../../flows/show-run.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { query, readId } from './read-input.ts'

export const runRoutes = routes()
  .get('/companies/:companyId/runs', inCompany('owner', 'admin'), query(RunQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listRuns(context, { companyId, ...c.req.valid('query') }))
  })
  .get('/companies/:companyId/runs/:runId', inCompany('owner', 'admin'), async (c) => {
    const { context, companyId } = c.var
    return c.json(await showRun(context, { companyId, runId: readId(c.req.param('runId')) }))
  })
