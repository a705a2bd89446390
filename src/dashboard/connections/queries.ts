import type { ConnectionUsers } from '../../contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { type Api } from '../app/resources.ts'

/** All of a company: there are at most ten. */
export function connectionsQuery(api: Api) {
  return api.get('connections', { limit: CALL_LIMITS.connectionsPerCompany })
}

const FIGURES_EVERY_MS = 30_000

/** How the calls through each of them went in the last 24 hours. */
export function connectionFiguresQuery(api: Api) {
  return { ...api.get('connection-figures'), refetchInterval: FIGURES_EVERY_MS }
}

export function usersOf(
  users: readonly ConnectionUsers[] | undefined,
  connectionId: string,
): Pick<ConnectionUsers, 'flows' | 'actions'> {
  return users?.find((each) => each.connectionId === connectionId) ?? { flows: [], actions: [] }
}
