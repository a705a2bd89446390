import type { ConnectionUsers } from '../../contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { type Api } from '../app/resources.ts'

/** Returns the query of all connections of the company, whose number is limited. */
export function connectionsQuery(api: Api) {
  return api.get('connections', { limit: CALL_LIMITS.connectionsPerCompany })
}

const FIGURES_EVERY_MS = 30_000

/** Returns the query for the figures of each connection's calls in the last 24 hours. */
export function connectionFiguresQuery(api: Api) {
  return { ...api.get('connection-figures'), refetchInterval: FIGURES_EVERY_MS }
}

/** Returns the flows and AI actions that use a connection; empty lists until they are loaded. */
export function usersOf(
  users: readonly ConnectionUsers[] | undefined,
  connectionId: string,
): Pick<ConnectionUsers, 'flows' | 'actions'> {
  return users?.find((each) => each.connectionId === connectionId) ?? { flows: [], actions: [] }
}
