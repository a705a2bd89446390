import { survivorOf } from '../../modules/contacts/survivor-of.ts'
import type { Context } from '../../infra/context.ts'
import type { RunRoutes } from '../../contract/dashboard/routes/run.ts'
import { RunQuery, StartRun } from '../../contract/dashboard/run.ts'
import { cancelRun } from '../../modules/flows/runs/cancel-run.ts'
import { listRuns } from '../../modules/flows/runs/list-runs.ts'
import { showRun } from '../../modules/flows/runs/show-run.ts'
import { startRunByHand } from '../../modules/flows/runs/start-run-by-hand.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

export const runRoutes = routes<RunRoutes>()
  .get('/companies/:companyId/runs', inCompany('owner', 'admin'), query(RunQuery), async (c) => {
    const { context, companyId } = c.var
    const { contactId, ...filter } = c.req.valid('query')
    const contact = contactId && (await survivorOf(context.db.kysely, { companyId, contactId }))
    return c.json(await listRuns(context, { companyId, ...filter, ...contact }))
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
      const input = await ofSurvivor(context, companyId, c.req.valid('json'))
      const started = await startRunByHand(context, actor, owned, input)
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
      const input = await ofSurvivor(context, companyId, c.req.valid('json'))
      const started = await startRunByHand(context, actor, owned, input)
      return c.json(started, started.isNew ? 201 : 200)
    },
  )

/** Replaces a contact that has been merged by the contact that it is part of now. */
async function ofSurvivor(
  { db }: Pick<Context, 'db'>,
  companyId: string,
  { contactId, ...input }: StartRun,
): Promise<StartRun> {
  if (contactId === undefined) return input
  const contact = await survivorOf(db.kysely, { companyId, contactId })
  return { ...input, contactId: contact.contactId }
}
