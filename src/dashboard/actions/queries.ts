import { queryOptions } from '@tanstack/react-query'
import { ACTION_LIMITS } from '../../limits/calls.ts'
import { api, ask } from '../app/api.ts'
import { queries } from '../app/queries.ts'

/** All of a company: there are at most twenty. */
export function actionsQuery(companyId: string) {
  return queryOptions({
    queryKey: ['actions', companyId],
    queryFn: () =>
      ask(
        api.companies[':companyId'].actions.$get({
          param: { companyId },
          query: { limit: String(ACTION_LIMITS.perCompany) },
        }),
      ),
  })
}

/** Actions are users of connections too. */
export async function readActionsAnew(companyId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['actions', companyId] })
  await queries.invalidateQueries({ queryKey: ['connections', companyId] })
}
