import { listCalls } from '../../modules/connections/list-calls.ts'
import { CallQuery } from '../../contract/dashboard/call.ts'
import type { CallLogRoutes } from '../../contract/dashboard/routes/call-log.ts'
import { inCompany } from './access.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

export const callLogRoutes = routes<CallLogRoutes>().get(
  '/companies/:companyId/calls',
  inCompany('owner', 'admin'),
  query(CallQuery),
  async (c) => {
    const { context, companyId } = c.var
    return c.json(await listCalls(context, { companyId, ...c.req.valid('query') }))
  },
)
