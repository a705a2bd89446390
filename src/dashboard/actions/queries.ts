import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { type Api } from '../app/resources.ts'

/** All of a company: there are at most twenty. */
export function actionsQuery(api: Api) {
  return api.get('actions', { limit: ACTION_LIMITS.perCompany })
}
