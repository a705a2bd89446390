import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { type Api } from '../app/resources.ts'

/** Returns the query of all actions of the company, whose number is limited. */
export function actionsQuery(api: Api) {
  return api.get('actions', { limit: ACTION_LIMITS.perCompany })
}
