import { queryOptions } from '@tanstack/react-query'
import type { ConnectionUsers } from '../../contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../limits/calls.ts'
import { api, ask } from '../app/api.ts'
import { queries } from '../app/queries.ts'

/** All of a company: there are at most ten. */
export function connectionsQuery(companyId: string) {
  return queryOptions({
    queryKey: ['connections', companyId],
    queryFn: () =>
      ask(
        api.companies[':companyId'].connections.$get({
          param: { companyId },
          query: { limit: String(CALL_LIMITS.connectionsPerCompany) },
        }),
      ),
  })
}

const FIGURES_EVERY_MS = 30_000

/** How the calls through each of them went in the last 24 hours. */
export function connectionFiguresQuery(companyId: string) {
  return queryOptions({
    queryKey: ['connections', companyId, 'figures'],
    refetchInterval: FIGURES_EVERY_MS,
    queryFn: () =>
      ask(api.companies[':companyId']['connection-figures'].$get({ param: { companyId } })),
  })
}

/** What calls through each of them. */
export function connectionUsersQuery(companyId: string) {
  return queryOptions({
    queryKey: ['connections', companyId, 'users'],
    queryFn: () =>
      ask(api.companies[':companyId']['connection-users'].$get({ param: { companyId } })),
  })
}

export function usersOf(
  users: readonly ConnectionUsers[] | undefined,
  connectionId: string,
): Pick<ConnectionUsers, 'flows' | 'actions'> {
  return users?.find((each) => each.connectionId === connectionId) ?? { flows: [], actions: [] }
}

export function readConnectionsAnew(companyId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['connections', companyId] })
}
