import { RunQuery, StartRun } from '../../contract/dashboard/run.ts'
import { cancelRun } from '../../flows/runs/cancel-run.ts'
import { listRuns } from '../../flows/runs/list-runs.ts'
import { showRun } from '../../flows/runs/show-run.ts'
import { startRunByHand } from '../../flows/runs/start-run-by-hand.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { body, query, readId } from './read-input.ts'

export const runRoutes = routes()
  .get('/companies/:companyId/runs', inCompany('owner', 'admin'), query(RunQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listRuns(context, { companyId, ...c.req.valid('query') }))
  })
  .get('/companies/:companyId/runs/:runId', inCompany('owner', 'admin'), async (c) => {
    const { context, companyId } = c.var
    return c.json(await showRun(context, { companyId, runId: readId(c.req.param('runId')) }))
  })
  .post(
    '/companies/:companyId/runs/:runId/cancel',
    inCompany('owner', 'admin', 'agent'),
    async (c) => {
      const { context, actor, companyId } = c.var
      await cancelRun(context, actor, { companyId, runId: readId(c.req.param('runId')) })
      return c.body(null, 204)
    },
  )
  .post(
    '/companies/:companyId/flows/:flowId/test-runs',
    inCompany('owner', 'admin'),
    body(StartRun),
    async (c) => {
      const { context, actor, companyId } = c.var
      const owned = { companyId, flowId: readId(c.req.param('flowId')), isTest: true }
      const started = await startRunByHand(context, actor, owned, c.req.valid('json'))
      return c.json(started, started.isNew ? 201 : 200)
    },
  )
  .post(
    '/companies/:companyId/flows/:flowId/runs',
    inCompany('owner', 'admin', 'agent'),
    body(StartRun),
    async (c) => {
      const { context, actor, companyId } = c.var
      const owned = { companyId, flowId: readId(c.req.param('flowId')) }
      const started = await startRunByHand(context, actor, owned, c.req.valid('json'))
      return c.json(started, started.isNew ? 201 : 200)
    },
  )
