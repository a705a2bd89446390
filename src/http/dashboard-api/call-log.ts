import { listCalls } from '../../connections/list-calls.ts'
import { CallQuery } from '../../contract/dashboard/call.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { query } from './read-input.ts'

export const callLogRoutes = routes().get(
  '/companies/:companyId/calls',
  inCompany('owner', 'admin'),
  query(CallQuery),
  async (c) => {
    const { context, companyId } = c.var
    return c.json(await listCalls(context, { companyId, ...c.req.valid('query') }))
  },
)
