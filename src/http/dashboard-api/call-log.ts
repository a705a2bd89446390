import { listCalls } from '../../modules/connections/list-calls.ts'
import { CallQuery, type CallLogRoutes } from '../../contract/dashboard/call.ts'
import { admins } from './access.ts'
import { answer } from './answer.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

export const callLogRoutes = routes<CallLogRoutes>().get(
  '/companies/:companyId/calls',
  admins(),
  query(CallQuery),
  answer(listCalls),
)
